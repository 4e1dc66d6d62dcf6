package io.cellmesh.connect.sink;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
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

/** The settings of {@link CellSinkConnector}. */
final class CellSinkConfig extends AbstractConfig {
  static final String TOPOLOGY = "topology";
  static final String MYSQL_USER = "mysql.user";
  static final String MYSQL_PASSWORD = "mysql.password";
  static final String MYSQL_SSL_MODE = "mysql.ssl.mode";
  static final String MYSQL_CONNECT_TIMEOUT = "mysql.connect.timeout.ms";
  static final String MYSQL_SOCKET_TIMEOUT = "mysql.socket.timeout.ms";
  static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  static final String BODY_MAX_BYTES = "body.max.bytes";
  static final String BUFFER_COPIES = "buffer.copies";
  static final String BUFFER_REAP_INTERVAL = "buffer.reap.interval.ms";

  static final ConfigDef DEFINITION =
      mysql(new ConfigDef())
          .define(
              BOOTSTRAP_SERVERS,
              Type.STRING,
              "",
              Importance.MEDIUM,
              "Brokers of the ingest topics. With it the connector refuses to start when a topic's partition count is not the topology's; without it such records are rejected one by one.")
          .define(
              BODY_MAX_BYTES,
              Type.INT,
              EnvelopeReader.DEFAULT_BODY_LIMIT,
              Range.between(1, EnvelopeReader.MAX_BODY_LIMIT),
              Importance.MEDIUM,
              "Most bytes of JSON that a body may have; a larger one is rejected.")
          .define(
              BUFFER_COPIES,
              Type.INT,
              1,
              Range.between(1, 8),
              Importance.MEDIUM,
              "How many secondaries hold a copy of each cell until its primary's minions have it. While the primary is down it is at least two, where there are two.")
          .define(
              BUFFER_REAP_INTERVAL,
              Type.LONG,
              1000,
              Range.atLeast(100),
              Importance.LOW,
              "Milliseconds between two looks for copies that may go.");

  private final Topology topology;

  CellSinkConfig(Map<String, String> settings) {
    super(DEFINITION, settings, false);
    this.topology = parse(getString(TOPOLOGY));
  }

  private static ConfigDef mysql(ConfigDef definition) {
    return definition
        .define(
            TOPOLOGY,
            Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            new TopologyValidator(),
            Importance.HIGH,
            "The topology of this data centre: the text of topology.yaml itself.")
        .define(
            MYSQL_USER,
            Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            new ConfigDef.NonEmptyString(),
            Importance.HIGH,
            "MySQL user, on every server of the topology.")
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
            "Connector/J's sslMode.")
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

  /**
   * @throws ConfigException naming the shards, the cluster or the field
   */
  private static Topology parse(String yaml) {
    try {
      return yaml == null ? null : TopologyYaml.parse(yaml).requireSecondaries();
    } catch (TopologyException e) {
      throw new ConfigException(TOPOLOGY + ": " + e.getMessage());
    }
  }

  Topology topology() {
    return topology;
  }

  private static final class TopologyValidator implements ConfigDef.Validator {
    @Override
    public void ensureValid(String name, Object value) {
      parse((String) value);
    }

    @Override
    public String toString() {
      return "every shard owned by exactly one cluster, and a second failure domain to buffer in";
    }
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

  String bootstrapServers() {
    return getString(BOOTSTRAP_SERVERS);
  }

  int bodyLimit() {
    return getInt(BODY_MAX_BYTES);
  }

  int copies() {
    return getInt(BUFFER_COPIES);
  }

  Duration reapInterval() {
    return Duration.ofMillis(getLong(BUFFER_REAP_INTERVAL));
  }
}
