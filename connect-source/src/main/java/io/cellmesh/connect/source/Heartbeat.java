package io.cellmesh.connect.source;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.cellmesh.cell.LogOffset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A record without a cell, in a topic of its own, that takes the offset along while a cluster
 * commits transactions but no cells: else its binlogs would one day be purged past the connector.
 */
final class Heartbeat {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ResumePoint resumePoint;
  private final String topic;
  private final String cluster;
  private Map<String, ?> told;
  private long last = System.nanoTime();

  Heartbeat(CellSourceConfig config, ResumePoint resumePoint) {
    this.resumePoint = resumePoint;
    this.topic = config.topology().topics().heartbeat();
    this.cluster = config.cluster().name();
    this.told = resumePoint.found();
  }

  /**
   * The heartbeat to send behind these records, if one is due. The end of a rebuild is told at
   * once.
   *
   * @param records what is handed out
   */
  Optional<SourceRecord> after(List<SourceRecord> records) {
    if (!records.isEmpty()) {
      told = records.get(records.size() - 1).sourceOffset();
      last = System.nanoTime();
      return Optional.empty();
    }
    var offset = resumePoint.offset();
    if (offset.isEmpty()) {
      return Optional.empty();
    }
    boolean ended = told.containsKey(LogOffset.REBUILD) && offset.get().rebuild().isEmpty();
    if (!ended && System.nanoTime() - last < INTERVAL.toNanos()) {
      return Optional.empty();
    }
    last = System.nanoTime();
    var stored = offset.get().stored();
    if (stored.equals(told)) {
      return Optional.empty();
    }
    told = stored;
    return Optional.of(record(stored, offset.get().gtids().orElse("")));
  }

  /**
   * The record that keeps why the task ends, beside the offset that was told last: what was read
   * since then and not handed out is read again.
   */
  SourceRecord lastWords(String failure) {
    var stored = new HashMap<String, Object>(told);
    stored.put(LogOffset.FAILED, failure);
    return record(stored, "");
  }

  private SourceRecord record(Map<String, ?> stored, String gtids) {
    var value =
        "{\"cluster\":\"%s\",\"gtids\":\"%s\",\"at\":\"%s\"}"
            .formatted(
                cluster,
                new String(JsonStringEncoder.getInstance().quoteAsString(gtids)),
                Instant.now());
    return new SourceRecord(
        resumePoint.partition(),
        stored,
        topic,
        0,
        Schema.BYTES_SCHEMA,
        cluster.getBytes(StandardCharsets.UTF_8),
        Schema.BYTES_SCHEMA,
        value.getBytes(StandardCharsets.UTF_8));
  }
}
