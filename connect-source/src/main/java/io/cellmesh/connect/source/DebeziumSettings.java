package io.cellmesh.connect.source;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology.Server;
import io.debezium.connector.mysql.MySqlConnector;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * What Debezium's MySQL connector is told.
 *
 * <p>Some settings are what makes the records right: they follow from the topology, or a row could
 * not be decoded without them, or would be skipped in silence. They can't be set from outside. The
 * others are defaults, made for a record to leave within a millisecond and for a lost connection to
 * be noticed; a {@code debezium.} setting overrides one of them, or tunes what has no effect on the
 * records. Everything else is refused: among Debezium's settings are names of classes to run and
 * options of the driver, and no policy of Connect's sees them.
 */
final class DebeziumSettings {
  /** Its reconnect can skip rows when GTIDs are in use. */
  private static final String KEEP_ALIVE = "connect.keep.alive";

  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          // Only a full batch wakes the reader of Debezium's queue before its interval is over.
          Map.entry("max.batch.size", "1"),
          // What waits there is copied by every garbage collection.
          Map.entry("max.queue.size", "2048"),
          // How soon a failure of the reading thread is seen.
          Map.entry("poll.interval.ms", "250"),
          // With the server's own heartbeats, how late transactions without cells are passed.
          Map.entry("heartbeat.interval.ms", "1000"),
          // This connector reconnects by itself.
          Map.entry(KEEP_ALIVE, "false"),
          // The server's heartbeats come at 0.8 of this.
          Map.entry("connect.keep.alive.interval.ms", "2500"),
          Map.entry("connect.timeout.ms", "5000"),
          Map.entry("driver.socketTimeout", "10000"),
          Map.entry("executor.shutdown.timeout.ms", "4000"));

  /** What may be set beside the defaults. */
  private static final Set<String> TUNING =
      Set.of(
          "max.queue.size.in.bytes",
          "binlog.buffer.size",
          "database.server.id",
          "database.query.timeout.ms",
          "use.nongraceful.disconnect",
          "custom.metric.tags",
          "statistics.metrics.enabled");

  private static final Map<String, String> FIXED =
      Map.ofEntries(
          // Debezium looks services up by it.
          Map.entry("connector.class", MySqlConnector.class.getName()),
          Map.entry("schema.history.internal", EntitySchemaHistory.class.getName()),
          // The entity table never changes, so no statement needs to be understood.
          Map.entry("schema.history.internal.ddl.filter", ".*"),
          Map.entry("snapshot.mode", "never"),
          Map.entry("include.schema.changes", "false"),
          Map.entry("provide.transaction.metadata", "false"),
          Map.entry("tombstones.on.delete", "false"),
          // Updates, deletes and truncations are seen, so that they can be reported.
          Map.entry("skipped.operations", "none"),
          Map.entry("binary.handling.mode", "bytes"),
          Map.entry("bigint.unsigned.handling.mode", "long"),
          Map.entry("time.precision.mode", "adaptive_time_microseconds"),
          Map.entry("event.converting.failure.handling.mode", "fail"),
          Map.entry("event.processing.failure.handling.mode", "fail"),
          Map.entry("inconsistent.schema.handling.mode", "fail"));

  private static final Set<String> DERIVED =
      Set.of(
          "topic.prefix",
          "database.hostname",
          "database.port",
          "database.user",
          "database.password",
          "database.ssl.mode",
          "database.ssl.truststore",
          "database.ssl.truststore.password",
          "database.include.list",
          "database.exclude.list",
          "table.include.list",
          "table.exclude.list",
          "column.include.list",
          "column.exclude.list",
          // A filtered set of GTIDs would pass the check for a gap.
          "gtid.source.includes",
          "gtid.source.excludes");

  private DebeziumSettings() {}

  /** Tells why a setting of Debezium's is not the user's to make; empty if it is. */
  static Optional<String> refusal(String name) {
    if (FIXED.containsKey(name) || DERIVED.contains(name) || name.equals(KEEP_ALIVE)) {
      return Optional.of("is derived from the connector's own settings and can't be set");
    }
    return DEFAULTS.containsKey(name) || TUNING.contains(name)
        ? Optional.empty()
        : Optional.of("is not one of " + settable());
  }

  private static Set<String> settable() {
    var names = new TreeSet<>(TUNING);
    names.addAll(DEFAULTS.keySet());
    names.remove(KEEP_ALIVE);
    return names;
  }

  /** For reading that server of the cluster. */
  static Map<String, String> of(CellSourceConfig config, Server server) {
    var topology = config.topology();
    var cluster = config.cluster();
    var databases = ShardDatabases.pattern(topology.instance(), cluster.shards());
    var settings = new HashMap<>(DEFAULTS);
    settings.put("database.server.id", Long.toString(serverId(config)));
    settings.putAll(config.debezium());
    settings.putAll(FIXED);
    settings.put("topic.prefix", name(config));
    settings.put("database.hostname", server.host());
    settings.put("database.port", Integer.toString(server.port()));
    settings.put("database.user", config.user());
    settings.put("database.password", config.password().value());
    protect(settings, config.tls());
    settings.put("database.include.list", databases);
    settings.put("table.include.list", databases + "\\." + EntitySchema.TABLE);
    settings.put(EntitySchemaHistory.INSTANCE, topology.instance());
    settings.put(EntitySchemaHistory.SHARDS, cluster.shards().toString());
    return new TreeMap<>(settings);
  }

  private static void protect(Map<String, String> settings, MySqlTls tls) {
    settings.put("database.ssl.mode", tls.mode().name().toLowerCase(Locale.ROOT));
    tls.trustStore()
        .ifPresent(
            file -> {
              settings.put("database.ssl.truststore", file.toAbsolutePath().toString());
              settings.put("database.ssl.truststore.password", tls.trustStorePassword());
            });
  }

  /** The name under which Debezium keeps its offset, whichever server of the cluster it reads. */
  static String name(CellSourceConfig config) {
    var topology = config.topology();
    return String.join(
        ".",
        topology.instance(),
        topology.datacenter(),
        config.getString(CellSourceConfig.CLUSTER));
  }

  /**
   * The id under which the connector registers as a replica. It must be no other replica's, so it
   * follows from the connector's name; a zombie of the same connector has the same one, and is cut
   * off by the server when its successor connects. People number their servers from 1, so it lies
   * far above.
   */
  private static long serverId(CellSourceConfig config) {
    var crc = new CRC32();
    crc.update((name(config) + "/" + config.connector()).getBytes(StandardCharsets.UTF_8));
    return 0x4000_0000L | crc.getValue() & 0x3fff_ffffL;
  }
}
