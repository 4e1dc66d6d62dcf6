package io.cellmesh.deployment;

import java.util.HashMap;
import java.util.Map;

/**
 * How to reach the brokers of a data centre. {@link #toString} shows the addresses alone, since the
 * settings may hold secrets.
 *
 * @param bootstrap {@code host:port}, several with commas
 * @param settings of any client: TLS, SASL; without {@code bootstrap.servers}
 */
public record KafkaAccess(String bootstrap, Map<String, String> settings) {
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

  @Override
  public String toString() {
    return bootstrap;
  }
}
