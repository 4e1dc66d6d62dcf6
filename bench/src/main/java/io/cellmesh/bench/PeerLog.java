package io.cellmesh.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.devstack.MySqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Debezium's MySQL connector on the same binlog, into one topic with as many partitions, keyed by
 * row as ours. README.md says why its settings are what they are.
 */
final class PeerLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PeerLog() {}

  /** With what makes it read a backlog fastest. */
  static LogSource atItsBest(LogServers servers) throws InterruptedException {
    var config = necessary(servers, "peer", 1);
    config.put("max.batch.size", "8192");
    config.put("max.queue.size", "32768");
    config.put("poll.interval.ms", "50");
    config.put("include.schema.changes", "false");
    config.put("extended.headers.enabled", "false");
    config.put("producer.override.linger.ms", "20");
    config.put("producer.override.batch.size", "262144");
    config.put("producer.override.buffer.memory", "67108864");
    return source("peer", "peer", servers, config);
  }

  /** What brings a single cell through soonest. */
  static Map<String, String> live() {
    return Map.of(
        "poll.interval.ms", "1",
        "max.batch.size", "2048",
        "max.queue.size", "8192",
        "producer.override.linger.ms", "0",
        "producer.override.batch.size", "16384");
  }

  /** With nothing but what it must be told. */
  static LogSource byDefault(LogServers servers) throws InterruptedException {
    return source(
        "peer, defaults", "peer-defaults", servers, necessary(servers, "peer-defaults", 2));
  }

  private static LogSource source(
      String name, String connectorName, LogServers servers, Map<String, String> config)
      throws InterruptedException {
    servers.createTopic(connectorName, LogServers.PARTITIONS);
    return new LogSource(
        name,
        connectorName,
        "io.debezium.",
        servers,
        new LogTopic(servers.broker(), connectorName, LogServers.PARTITIONS),
        config,
        PeerLog::rowKey);
  }

  private static TreeMap<String, String> necessary(LogServers servers, String topic, int id) {
    var config = new TreeMap<String, String>();
    config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
    config.put("tasks.max", "1");
    config.put("topic.prefix", topic);
    config.put("database.user", "root");
    config.put("database.password", "");
    config.put("database.server.id", Integer.toString(900 + id));
    config.put("database.ssl.mode", "disabled");
    config.putAll(reading(servers.minion()));
    var databases = servers.topology().instance() + "_[0-9]+";
    config.put("database.include.list", databases);
    config.put("table.include.list", databases + "\\." + EntitySchema.TABLE);
    config.put("message.key.columns", databases + "\\." + EntitySchema.TABLE + ":row_key");
    config.put("topic.naming.strategy", "io.debezium.schema.DefaultRegexTopicNamingStrategy");
    config.put("topic.regex", ".*\\." + EntitySchema.TABLE);
    config.put("topic.replacement", topic);
    config.put("topic.key.enforce.uniqueness", "false");
    config.put("snapshot.mode", "no_data");
    config.put("schema.history.internal.kafka.bootstrap.servers", servers.broker().bootstrap());
    config.put("schema.history.internal.kafka.topic", topic + "-history");
    for (var part : new String[] {"key", "value"}) {
      config.put(part + ".converter", "org.apache.kafka.connect.json.JsonConverter");
      config.put(part + ".converter.schemas.enable", "false");
    }
    return config;
  }

  /** Which server's binlog to read. */
  static Map<String, String> reading(MySqlServer server) {
    return Map.of(
        "database.hostname", server.host(), "database.port", Integer.toString(server.port()));
  }

  private static UUID rowKey(byte[] key) {
    try {
      return UuidBytes.read(JSON.readTree(key).get("row_key").binaryValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
