package io.cellmesh.index;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The hosts of a {@code bootstrap.servers}. */
final class BrokerNames {
  /** With a protocol before it, as Kafka takes it, too. */
  private static final Pattern ADDRESS = Pattern.compile("(?:.*://)?\\[?([^\\[\\]]+)]?:([0-9]+)");

  private BrokerNames() {}

  /**
   * Tells whether none of them can be resolved, so that Kafka can make no client; what is no
   * address Kafka itself refuses.
   *
   * @param bootstrap {@code host:port}, several with commas
   */
  static boolean areUnknown(String bootstrap) {
    return Arrays.stream(bootstrap.split(","))
        .map(String::strip)
        .filter(address -> !address.isEmpty())
        .allMatch(BrokerNames::isUnknown);
  }

  private static boolean isUnknown(String address) {
    var parts = ADDRESS.matcher(address);
    return parts.matches() && new InetSocketAddress(parts.group(1), 1).isUnresolved();
  }
}
