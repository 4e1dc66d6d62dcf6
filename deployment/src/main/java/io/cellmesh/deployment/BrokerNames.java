package io.cellmesh.deployment;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * The hosts of a {@code bootstrap.servers}. While none of them can be resolved Kafka makes no
 * client, which is over without anybody changing a setting.
 */
public final class BrokerNames {
  /** With a protocol before it, as Kafka takes it, too. */
  private static final Pattern ADDRESS = Pattern.compile("(?:.*://)?\\[?([^\\[\\]]+)]?:([0-9]+)");

  private static final String UNRESOLVED = "No resolvable bootstrap urls";

  private BrokerNames() {}

  /**
   * Tells whether none of them can be resolved; what is no address Kafka itself refuses.
   *
   * @param bootstrap {@code host:port}, several with commas
   */
  public static boolean areUnknown(String bootstrap) {
    return Arrays.stream(bootstrap.split(","))
        .map(String::strip)
        .filter(address -> !address.isEmpty())
        .allMatch(BrokerNames::isUnknown);
  }

  /** Tells whether that none could be resolved kept Kafka from making a client. */
  public static boolean wereUnknown(Throwable failure) {
    for (var e = failure; e != null; e = e.getCause()) {
      if (e instanceof ConfigException && e.getMessage().startsWith(UNRESOLVED)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnknown(String address) {
    var parts = ADDRESS.matcher(address);
    return parts.matches() && new InetSocketAddress(parts.group(1), 1).isUnresolved();
  }
}
