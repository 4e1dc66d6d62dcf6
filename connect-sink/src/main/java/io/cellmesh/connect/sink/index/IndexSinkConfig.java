package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.storage.Credentials;
import io.cellmesh.storage.MySqlOptions;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/** The settings of {@link IndexSinkConnector}. */
final class IndexSinkConfig extends AbstractConfig {
  static final String TOPOLOGY = "topology";
  static final String INDEX = "index";
  static final String MYSQL_USER = "mysql.user";
  static final String MYSQL_PASSWORD = "mysql.password";
  static final String MYSQL_SSL_MODE = "mysql.ssl.mode";
  static final String MYSQL_CONNECT_TIMEOUT = "mysql.connect.timeout.ms";
  static final String MYSQL_SOCKET_TIMEOUT = "mysql.socket.timeout.ms";
  static final String RETRY_BACKOFF = "retry.backoff.ms";

  static final ConfigDef DEFINITION = timing(mysql(subject(new ConfigDef())));

  private final Topology topology;
  private final IndexDefinition index;

  /**
   * @throws ConfigException naming the setting and the rule
   */
  IndexSinkConfig(Map<String, String> settings) {
    super(DEFINITION, settings, false);
    this.topology = topology(getString(TOPOLOGY));
    this.index = index(getString(INDEX));
    if (!index.datastore().equals(topology.instance())) {
      throw new ConfigException(
          "datastore \"%s\" is not the topology's instance, %s"
              .formatted(index.datastore(), topology.instance()));
    }
  }

  private static ConfigDef subject(ConfigDef definition) {
    return definition
        .define(
            TOPOLOGY,
            Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            ConfigDef.LambdaValidator.with(
                (name, value) -> topology((String) value),
                () -> "every shard owned by exactly one cluster"),
            Importance.HIGH,
            "The topology of this data centre: the text of topology.yaml itself.")
        .define(
            INDEX,
            Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            ConfigDef.LambdaValidator.with(
                (name, value) -> index((String) value), () -> "a valid index definition"),
            Importance.HIGH,
            "The index definition: the text of its YAML file itself.");
  }

  private static ConfigDef mysql(ConfigDef definition) {
    return definition
        .define(
            MYSQL_USER,
            Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            new ConfigDef.NonEmptyString(),
            Importance.HIGH,
            "MySQL user, on every master of the topology.")
        .define(
            MYSQL_PASSWORD,
            Type.PASSWORD,
            "",
            Importance.HIGH,
            "Its password; give it through a ConfigProvider.")
        .define(
            MYSQL_SSL_MODE,
            Type.STRING,
            "PREFERRED",
            ValidString.in("DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"),
            Importance.MEDIUM,
            "Connector/J's sslMode.");
  }

  private static ConfigDef timing(ConfigDef definition) {
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
            "Milliseconds to wait for the answer to a statement; keep it well under max.poll.interval.ms.")
        .define(
            RETRY_BACKOFF,
            Type.LONG,
            1000,
            Range.between(100, 60_000),
            Importance.LOW,
            "Milliseconds until entries are written again after a master was not there.");
  }

  private static Topology topology(String yaml) {
    try {
      return yaml == null ? null : TopologyYaml.parse(yaml);
    } catch (TopologyException e) {
      throw new ConfigException(TOPOLOGY + ": " + e.getMessage());
    }
  }

  private static IndexDefinition index(String yaml) {
    try {
      return yaml == null ? null : IndexDefinition.parse(yaml);
    } catch (IndexDefinitionException e) {
      throw new ConfigException(INDEX + ": " + e.getMessage());
    }
  }

  Topology topology() {
    return topology;
  }

  IndexDefinition index() {
    return index;
  }

  /** The topic that this index's entries come from. */
  String topic() {
    return topology.topics().index(index.name());
  }

  Credentials credentials() {
    return new Credentials(getString(MYSQL_USER), getPassword(MYSQL_PASSWORD).value());
  }

  MySqlOptions mysql() {
    return new MySqlOptions(
        Duration.ofMillis(getInt(MYSQL_CONNECT_TIMEOUT)),
        Duration.ofMillis(getInt(MYSQL_SOCKET_TIMEOUT)),
        MySqlOptions.DEFAULT.lockWait(),
        MySqlOptions.DEFAULT.idle(),
        getString(MYSQL_SSL_MODE),
        MySqlOptions.DEFAULT.poolSize());
  }

  long retryBackoff() {
    return getLong(RETRY_BACKOFF);
  }
}
