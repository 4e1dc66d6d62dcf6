package io.cellmesh.deployment;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How to reach the brokers of a data centre. {@link #toString} shows the addresses alone, since the
 * settings may hold secrets.
 *
 * @param bootstrap {@code host:port}, several with commas
 * @param settings of any client: TLS, SASL; without {@code bootstrap.servers}
 */
public record KafkaAccess(String bootstrap, Map<String, String> settings) {
  private static final Pattern USER = Pattern.compile("\\busername=\"([^\"]*)\"");

  public KafkaAccess {
    settings = Map.copyOf(settings);
  }

  /** Without any protection. */
  public static KafkaAccess plain(String bootstrap) {
    return new KafkaAccess(bootstrap, Map.of());
  }

  /** The settings of a client, to which its own may be added. */
  public Map<String, Object> client() {
    var client = new HashMap<String, Object>(settings);
    client.put("bootstrap.servers", bootstrap);
    return client;
  }

  /** Who signs on, where it is by a name and a password. */
  public Optional<String> user() {
    var login = USER.matcher(settings.getOrDefault("sasl.jaas.config", ""));
    return login.find() ? Optional.of(login.group(1)) : Optional.empty();
  }

  @Override
  public String toString() {
    return bootstrap;
  }
}
