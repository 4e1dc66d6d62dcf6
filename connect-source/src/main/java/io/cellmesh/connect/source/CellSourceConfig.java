package io.cellmesh.connect.source;

import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.TriggerColumns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;

/** The settings of {@link CellSourceConnector}. */
final class CellSourceConfig extends AbstractConfig {
  static final String TOPOLOGY = "topology";
  static final String CLUSTER = "cluster";
  static final String MYSQL_USER = "mysql.user";
  static final String MYSQL_PASSWORD = "mysql.password";
  static final String MYSQL_SSL_MODE = "mysql.ssl.mode";
  static final String MYSQL_TRUST_STORE = "mysql.ssl.truststore.location";
  static final String MYSQL_TRUST_STORE_PASSWORD = "mysql.ssl.truststore.password";
  static final String READ_FROM = "read.from";
  static final String MASTER_AFTER = "read.master.after.ms";
  static final String SHARD_TOPICS = "shard.topics";
  static final String TRIGGER_COLUMNS = "trigger.columns";
  static final String MINION = "minion";
  static final String MASTER = "master";

  /** Settings that start with this go to Debezium's MySQL connector, without the prefix. */
  static final String DEBEZIUM_PREFIX = "debezium.";

  static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              TOPOLOGY,
              Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              new TopologyValidator(),
              Importance.HIGH,
              "The shard map: the text of topology.yaml.")
          .define(
              CLUSTER,
              Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              new ConfigDef.NonEmptyString(),
              Importance.HIGH,
              "The storage cluster whose binlog to read, by its name in the topology.")
          .define(
              MYSQL_USER,
              Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              new ConfigDef.NonEmptyString(),
              Importance.HIGH,
              "The MySQL user. It needs what `cellmesh grants --role source` prints.")
          .define(
              MYSQL_PASSWORD,
              Type.PASSWORD,
              "",
              Importance.HIGH,
              "The MySQL user's password; better a reference to a config provider than the text.")
          .define(
              MYSQL_SSL_MODE,
              Type.STRING,
              "",
              ValidString.in(sslModes()),
              Importance.MEDIUM,
              "Whether connections to MySQL are encrypted, and what its servers must prove:"
                  + " VERIFY_IDENTITY is what a network needs that others use, too. It must be set"
                  + " unless all servers are on this machine (localhost, 127.*), where it is"
                  + " PREFERRED.")
          .define(
              MYSQL_TRUST_STORE,
              Type.STRING,
              "",
              Importance.MEDIUM,
              "With VERIFY_CA and VERIFY_IDENTITY: a PKCS12 or JKS file, on every worker, with the"
                  + " CAs that sign the servers' certificates. Without it those count that the JVM"
                  + " trusts.")
          .define(
              MYSQL_TRUST_STORE_PASSWORD,
              Type.PASSWORD,
              "",
              Importance.MEDIUM,
              "The password of that file.")
          .define(
              READ_FROM,
              Type.STRING,
              MINION,
              ValidString.in(MINION, MASTER),
              Importance.MEDIUM,
              "Which server of the cluster to read: its first minion, so that the log never shows a"
                  + " cell that a promotion then takes back, or its master, which is a commit sooner."
                  + " While it can't be read, another one that has all that the log has shown is.")
          .define(
              MASTER_AFTER,
              Type.LONG,
              30_000L,
              ConfigDef.Range.atLeast(-1),
              Importance.MEDIUM,
              "With read.from=minion: how many milliseconds no minion may be readable before the"
                  + " master is read instead, until one is; -1 means never. It does not count where"
                  + " waiting is in vain: no minion is left, or all have purged their binlogs.")
          .define(
              SHARD_TOPICS,
              Type.STRING,
              ShardTopics.PARTITION.setting(),
              ValidString.in(ShardTopics.PARTITION.setting(), ShardTopics.TOPIC.setting()),
              Importance.MEDIUM,
              "The log's shape: one topic, INSTANCE.log, whose partition shard mod P holds a shard,"
                  + " or a topic of one partition for each shard, INSTANCE.log.0042.")
          .define(
              TRIGGER_COLUMNS,
              Type.LIST,
              List.of(),
              Importance.MEDIUM,
              "Columns whose cells are also written to INSTANCE.trigger.COLUMN, a topic of P"
                  + " partitions in either shape of the log: for triggers and others that want one"
                  + " column and no other. At most 64 of a-z, A-Z, 0-9, ., _ and - each.");

  CellSourceConfig(Map<String, String> props) {
    super(DEFINITION, props, false);
    for (var value : validate(props)) {
      for (var message : value.errorMessages()) {
        throw new ConfigException(message);
      }
    }
  }

  /** What Connect shows for the given settings, with everything that is wrong about them. */
  static List<ConfigValue> validate(Map<String, String> props) {
    var values = new ArrayList<>(DEFINITION.validate(props));
    for (var name : props.keySet()) {
      if (name.startsWith(DEBEZIUM_PREFIX)) {
        DebeziumSettings.refusal(name.substring(DEBEZIUM_PREFIX.length()))
            .ifPresent(
                why -> {
                  var value = new ConfigValue(name);
                  value.addErrorMessage(name + " " + why);
                  values.add(value);
                });
      }
    }
    if (errorFree(values, TOPOLOGY) && errorFree(values, CLUSTER)) {
      validateCluster(props, values);
    }
    if (errorFree(values, TRIGGER_COLUMNS)) {
      validateTriggers(props, values);
    }
    if (errorFree(values, MYSQL_SSL_MODE) && errorFree(values, TOPOLOGY)) {
      validateTls(props, values);
    }
    return values;
  }

  Topology topology() {
    return TopologyYaml.parse(getString(TOPOLOGY));
  }

  StorageCluster cluster() {
    return topology().cluster(getString(CLUSTER));
  }

  boolean readsMaster() {
    return getString(READ_FROM).equals(MASTER);
  }

  /** How long no minion may be readable before the master is; empty for ever. */
  Optional<Duration> masterAfter() {
    long millis = getLong(MASTER_AFTER);
    return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }

  ShardTopics shardTopics() {
    return ShardTopics.of(getString(SHARD_TOPICS));
  }

  /** The columns that have a topic of their own. */
  List<String> triggerColumns() {
    return getList(TRIGGER_COLUMNS);
  }

  /** The connector's name, which Connect adds; empty outside of it. */
  String connector() {
    return originalsStrings().getOrDefault("name", "");
  }

  String user() {
    return getString(MYSQL_USER);
  }

  Password password() {
    return getPassword(MYSQL_PASSWORD);
  }

  MySqlTls tls() {
    return tls(originalsStrings());
  }

  /** What the user set for Debezium, under Debezium's own names. */
  Map<String, String> debezium() {
    var settings = new HashMap<String, String>();
    originalsWithPrefix(DEBEZIUM_PREFIX).forEach((k, v) -> settings.put(k, String.valueOf(v)));
    return settings;
  }

  private static void validateCluster(Map<String, String> props, List<ConfigValue> values) {
    try {
      TopologyYaml.parse(props.get(TOPOLOGY)).cluster(props.get(CLUSTER));
    } catch (TopologyException e) {
      of(values, CLUSTER).addErrorMessage(e.getMessage());
    }
  }

  private static void validateTriggers(Map<String, String> props, List<ConfigValue> values) {
    var setting = of(values, TRIGGER_COLUMNS);
    try {
      var columns = TriggerColumns.check(TRIGGER_COLUMNS, list(setting.value()));
      if (errorFree(values, TOPOLOGY)) {
        var topology = TopologyYaml.parse(props.get(TOPOLOGY));
        var creation = new TopicCreation(props);
        columns.stream()
            .map(topology.topics()::trigger)
            .flatMap(topic -> creation.refusal(topic, topology.shards().partitions()).stream())
            .forEach(why -> setting.addErrorMessage(TRIGGER_COLUMNS + ": " + why));
      }
    } catch (IllegalArgumentException e) {
      setting.addErrorMessage(e.getMessage());
    }
  }

  private static List<String> list(Object value) {
    return ((List<?>) value).stream().map(String::valueOf).toList();
  }

  private static void validateTls(Map<String, String> props, List<ConfigValue> values) {
    try {
      sslMode(props);
    } catch (IllegalArgumentException e) {
      of(values, MYSQL_SSL_MODE).addErrorMessage(MYSQL_SSL_MODE + ": " + e.getMessage());
      return;
    }
    try {
      tls(props);
    } catch (IllegalArgumentException e) {
      of(values, MYSQL_TRUST_STORE).addErrorMessage(MYSQL_TRUST_STORE + ": " + e.getMessage());
    }
  }

  private static MySqlTls.Mode sslMode(Map<String, String> props) {
    return MySqlTls.mode(
        props.getOrDefault(MYSQL_SSL_MODE, ""), TopologyYaml.parse(props.get(TOPOLOGY)));
  }

  /** The modes, and nothing for a machine of one's own. */
  private static String[] sslModes() {
    return Stream.concat(Stream.of(""), Stream.of(MySqlTls.Mode.names())).toArray(String[]::new);
  }

  private static MySqlTls tls(Map<String, String> props) {
    return MySqlTls.of(
        sslMode(props),
        props.getOrDefault(MYSQL_TRUST_STORE, ""),
        props.getOrDefault(MYSQL_TRUST_STORE_PASSWORD, ""));
  }

  private static boolean errorFree(List<ConfigValue> values, String name) {
    return of(values, name).errorMessages().isEmpty();
  }

  private static ConfigValue of(List<ConfigValue> values, String name) {
    return values.stream().filter(v -> v.name().equals(name)).findFirst().orElseThrow();
  }

  /** The message leaves out the value: it is a page long, and Connect shows it anyway. */
  private static final class TopologyValidator implements ConfigDef.Validator {
    @Override
    public void ensureValid(String name, Object value) {
      try {
        TopologyYaml.parse((String) value);
      } catch (IllegalArgumentException e) {
        throw new ConfigException(name + ": " + e.getMessage());
      }
    }

    @Override
    public String toString() {
      return "every shard owned by exactly one cluster";
    }
  }
}
