package io.cellmesh.connect.sink;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.StorageSettings;
import io.cellmesh.storage.ServerFinding.Severity;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The settings of {@link CellSinkConnector}. */
final class CellSinkConfig extends StorageSettings {
  static final String BODY_MAX_BYTES = "body.max.bytes";
  static final String DURABILITY_CHECK = "mysql.durability.check";
  static final String BUFFER_COPIES = "buffer.copies";
  static final String TURN_RECORDS = "turn.records";
  static final String BUFFER_REAP_INTERVAL = "buffer.reap.interval.ms";

  static final ConfigDef DEFINITION =
      kafka(
              define(
                  Topology::requireSecondaries,
                  "every shard owned by exactly one cluster, and a second failure domain to buffer in"),
              "Brokers of the ingest topics, to compare their partition counts with the topology's, to notice records that went before they were read, and to tell rejected ones.")
          .define(
              BODY_MAX_BYTES,
              Type.INT,
              EnvelopeReader.DEFAULT_BODY_LIMIT,
              Range.between(1, EnvelopeReader.MAX_BODY_LIMIT),
              Importance.MEDIUM,
              "Most bytes of JSON, as the log carries it, that a producer's body may have; a larger one is rejected. What a peer has accepted is not held to it.")
          .define(
              DURABILITY_CHECK,
              Type.STRING,
              "refuse",
              ValidString.in("refuse", "warn"),
              Importance.LOW,
              "What to do about a master that does not have sync_binlog=1 and innodb_flush_log_at_trx_commit=1, and so can lose secured cells when its machine crashes.")
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
              "Milliseconds between two looks for copies that may go.")
          .define(
              TURN_RECORDS,
              Type.INT,
              500,
              Range.atLeast(1),
              Importance.LOW,
              "When a poll has brought so many records of one ingest topic, the other one is looked at before more of it is read; this data centre's own cells are written before so many of its peers'.");

  CellSinkConfig(Map<String, String> settings) {
    super(DEFINITION, settings);
  }

  int bodyLimit() {
    return getInt(BODY_MAX_BYTES);
  }

  /** How bad a master is that a crash of its machine can take cells from. */
  Severity durability() {
    return Severity.valueOf(getString(DURABILITY_CHECK).toUpperCase(Locale.ROOT));
  }

  int copies() {
    return getInt(BUFFER_COPIES);
  }

  /** So many records of one topic are a turn. */
  int turn() {
    return getInt(TURN_RECORDS);
  }

  Duration reapInterval() {
    return Duration.ofMillis(getLong(BUFFER_REAP_INTERVAL));
  }
}
