package io.cellmesh.connect.sink.base;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.MySqlOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The settings that both sinks have: where the storage clusters are, and how to sign on to them.
 */
public class StorageSettings extends AbstractConfig {
  public static final String TOPOLOGY = "topology";
  public static final String MYSQL_USER = "mysql.user";
  static final String MYSQL_PASSWORD = "mysql.password";
  public static final String MYSQL_SSL_MODE = "mysql.ssl.mode";
  public static final String MYSQL_TRUST_STORE = "mysql.ssl.truststore.location";
  static final String MYSQL_TRUST_STORE_PASSWORD = "mysql.ssl.truststore.password";
  static final String MYSQL_CONNECT_TIMEOUT = "mysql.connect.timeout.ms";
  static final String MYSQL_SOCKET_TIMEOUT = "mysql.socket.timeout.ms";

  public static final String KAFKA_BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";

  /** Connect's own: the topic that rejected records are told in. */
  public static final String REJECTED_TOPIC = "errors.deadletterqueue.topic.name";

  /** Put into each task's settings, which Connect does not do. */
  private static final String TASK = "cellmesh.task";

  private final Topology topology;
  private final MySqlTls tls;

  /**
   * @param definition made from {@link #define}
   * @throws ConfigException naming the setting and the rule
   */
  @SuppressWarnings("this-escape") // AbstractConfig is complete when it is asked.
  protected StorageSettings(ConfigDef definition, Map<String, String> settings) {
    super(definition, settings, false);
    this.topology = parse(getString(TOPOLOGY));
    problems(settings)
        .forEach(
            (setting, problem) -> {
              throw new ConfigException(setting + ": " + problem);
            });
    this.tls = tls();
  }

  /**
   * Begins a definition.
   *
   * @param rule throws {@link TopologyException} for a topology that the connector can't serve
   * @param inWords the rule, for the table of settings
   */
  protected static ConfigDef define(Consumer<Topology> rule, String inWords) {
    return timeouts(
        new ConfigDef()
            .define(
                TOPOLOGY,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                LambdaValidator.with((name, yaml) -> check((String) yaml, rule), () -> inWords),
                Importance.HIGH,
                "The topology of this data centre: the text of topology.yaml itself.")
            .define(
                MYSQL_USER,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                new ConfigDef.NonEmptyString(),
                Importance.HIGH,
                "MySQL user, on every server of the topology; `cellmesh grants` prints what it needs.")
            .define(
                MYSQL_PASSWORD,
                Type.PASSWORD,
                "",
                Importance.HIGH,
                "Its password; give it through a ConfigProvider.")
            .define(
                MYSQL_SSL_MODE,
                Type.STRING,
                "",
                ValidString.in(sslModes()),
                Importance.MEDIUM,
                "Whether connections to MySQL are encrypted, and what its servers must prove: VERIFY_IDENTITY is what a network needs that others use, too. It must be set unless all servers are on this machine (localhost, 127.*), where it is PREFERRED.")
            .define(
                MYSQL_TRUST_STORE,
                Type.STRING,
                "",
                Importance.MEDIUM,
                "With VERIFY_CA and VERIFY_IDENTITY: a PKCS12 or JKS file, on every worker, with the CAs that sign the servers' certificates. Without it those count that the JVM trusts.")
            .define(
                MYSQL_TRUST_STORE_PASSWORD,
                Type.PASSWORD,
                "",
                Importance.MEDIUM,
                "The password of that file."));
  }

  /**
   * Finds what is wrong among settings that are valid each for itself.
   *
   * @return the rule that is broken, by the setting's name; empty if none is
   */
  public static Map<String, String> problems(Map<String, String> asked) {
    var problems = new HashMap<>(KafkaClientSettings.problems(asked));
    problems.putAll(tlsProblems(asked));
    return problems;
  }

  private static Map<String, String> tlsProblems(Map<String, String> asked) {
    MySqlTls.Mode mode;
    try {
      mode = MySqlTls.mode(asked.getOrDefault(MYSQL_SSL_MODE, ""), parse(asked.get(TOPOLOGY)));
    } catch (IllegalArgumentException e) {
      return Map.of(MYSQL_SSL_MODE, e.getMessage());
    }
    try {
      MySqlTls.of(
          mode,
          asked.getOrDefault(MYSQL_TRUST_STORE, ""),
          asked.getOrDefault(MYSQL_TRUST_STORE_PASSWORD, ""));
      return Map.of();
    } catch (IllegalArgumentException e) {
      return Map.of(MYSQL_TRUST_STORE, e.getMessage());
    }
  }

  /** Adds where Kafka is, and what it is asked for. */
  protected static ConfigDef kafka(ConfigDef definition, String what) {
    return definition.define(
        KAFKA_BOOTSTRAP_SERVERS,
        Type.STRING,
        ConfigDef.NO_DEFAULT_VALUE,
        new ConfigDef.NonEmptyString(),
        Importance.HIGH,
        what
            + " Other settings that begin with kafka. (kafka.security.protocol, kafka.sasl.jaas.config …) go to the same clients; those that name classes are refused.");
  }

  /** The settings of a connector's tasks: its own, and each task's number. */
  public static List<Map<String, String>> ofTasks(Map<String, String> connector, int tasks) {
    return IntStream.range(0, tasks)
        .mapToObj(
            number -> {
              var settings = new HashMap<>(connector);
              settings.put(TASK, Integer.toString(number));
              return Map.copyOf(settings);
            })
        .toList();
  }

  /** The modes, and nothing for a machine of one's own. */
  private static String[] sslModes() {
    return Stream.concat(Stream.of(""), Stream.of(MySqlTls.Mode.names())).toArray(String[]::new);
  }

  private static ConfigDef timeouts(ConfigDef definition) {
    return definition
        .define(
            MYSQL_CONNECT_TIMEOUT,
            Type.INT,
            2000,
            Range.between(100, 60_000),
            Importance.LOW,
            "Milliseconds to wait for a connection to a MySQL server.")
        .define(
            MYSQL_SOCKET_TIMEOUT,
            Type.INT,
            10_000,
            Range.between(1000, 120_000),
            Importance.LOW,
            "Milliseconds to wait for the answer to a statement; keep it well under max.poll.interval.ms.");
  }

  public Topology topology() {
    return topology;
  }

  public Credentials credentials() {
    return new Credentials(getString(MYSQL_USER), getPassword(MYSQL_PASSWORD).value(), tls);
  }

  /** The settings of a client of the brokers. */
  public Map<String, Object> kafka() {
    return KafkaClientSettings.of(originalsStrings());
  }

  /**
   * The topic that rejected records are told in.
   *
   * @throws ConnectException if there is none
   */
  String rejected() {
    return text(REJECTED_TOPIC)
        .orElseThrow(
            () ->
                new ConnectException(
                    REJECTED_TOPIC
                        + " must be set: rejected records have nowhere to go otherwise"));
  }

  /** The connector's name. */
  String name() {
    return text("name").orElse("cellmesh-sink");
  }

  /** The task's number within the connector. */
  String taskNumber() {
    return text(TASK).orElse("0");
  }

  private Optional<String> text(String setting) {
    return Optional.ofNullable(originalsStrings().get(setting)).filter(text -> !text.isEmpty());
  }

  public MySqlOptions mysql() {
    return new MySqlOptions(
        Duration.ofMillis(getInt(MYSQL_CONNECT_TIMEOUT)),
        Duration.ofMillis(getInt(MYSQL_SOCKET_TIMEOUT)),
        MySqlOptions.DEFAULT.lockWait(),
        MySqlOptions.DEFAULT.idle(),
        MySqlOptions.DEFAULT.poolSize());
  }

  private static void check(String yaml, Consumer<Topology> rule) {
    if (yaml != null) {
      try {
        rule.accept(TopologyYaml.parse(yaml));
      } catch (TopologyException e) {
        throw new ConfigException(TOPOLOGY + ": " + e.getMessage());
      }
    }
  }

  private MySqlTls tls() {
    return MySqlTls.of(
        MySqlTls.mode(getString(MYSQL_SSL_MODE), topology),
        getString(MYSQL_TRUST_STORE),
        getPassword(MYSQL_TRUST_STORE_PASSWORD).value());
  }

  private static Topology parse(String yaml) {
    try {
      return TopologyYaml.parse(yaml);
    } catch (TopologyException e) {
      throw new ConfigException(TOPOLOGY + ": " + e.getMessage());
    }
  }
}
