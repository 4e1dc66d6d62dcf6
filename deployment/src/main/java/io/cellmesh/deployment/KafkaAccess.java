package io.cellmesh.deployment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * How to reach the brokers of a data centre. {@link #toString} shows the addresses alone, since the
 * settings may hold secrets.
 *
 * @param bootstrap {@code host:port}, several with commas
 * @param settings of any client: TLS, SASL; without {@code bootstrap.servers}
 */
public record KafkaAccess(String bootstrap, Map<String, String> settings) {
  /** How long {@link #reader} and {@link #admin} wait for an answer at most, in milliseconds. */
  public static final int ANSWER_MS = 10_000;

  /**
   * What a broker is asked for at one go, at most: an answer that is not there in time is asked for
   * again, and the whole of it must come through a narrow way. A larger record comes all the same.
   */
  private static final int FETCH_BYTES = 2 << 20;

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

  /**
   * The settings of a consumer that reads what is committed, from offsets that it is told. It
   * belongs to no group, makes no topic, and says within {@value #ANSWER_MS} ms that nobody
   * answers.
   */
  public Map<String, Object> reader() {
    var reader = quiet();
    reader.remove(ConsumerConfig.GROUP_ID_CONFIG);
    reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    reader.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    reader.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    reader.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    reader.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
    reader.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS / 2);
    reader.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    // Of Kafka's own 64 KiB a far peer sends 0.8 MB a second; the system's grows with the way.
    reader.putIfAbsent(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    return reader;
  }

  /** The settings of an admin client, which says as soon that nobody answers. */
  public Map<String, Object> admin() {
    var admin = client();
    admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
    admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS / 2);
    return admin;
  }

  /**
   * The settings of one of many clients: their own figures cost more than they do, and are offered
   * to nobody unless the deployment names a reporter.
   */
  public Map<String, Object> quiet() {
    var client = client();
    client.putIfAbsent(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, List.of());
    client.putIfAbsent(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
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
