package io.cellmesh.index;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.index.LogCell;
import io.cellmesh.cell.index.MisfitException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends on what an index could not take in, with the reason in the headers: {@code index} (absent
 * if the record is no cell at all), {@code field}, {@code rule}, and {@code topic}, {@code
 * partition} and {@code offset} of the log record, whose value is passed on as it is; if it is too
 * large, {@code size} in its place.
 */
final class Unindexed {
  /** Where Streams puts the count, one metric a task. */
  static final String METRIC_GROUP = "stream-index-metrics";

  static final String METRIC_TOTAL = "unindexed-total";

  private static final Logger LOG = LoggerFactory.getLogger(Unindexed.class);
  private static final int LOGGED_FIRST = 10;

  /** Of a topic's largest record, 4 MiB, what is left beside a key and headers. */
  private static final int MOST_VALUE = (4 << 20) - (64 << 10);

  private static final int LOGGED_EACH = 1000;

  private final ProcessorContext<byte[], byte[]> context;
  private final Sensor sensor;
  private long count;

  Unindexed(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    this.sensor =
        context
            .metrics()
            .addRateTotalSensor(
                "index", context.taskId().toString(), "unindexed", Sensor.RecordingLevel.INFO);
  }

  /**
   * A record of the log that is no cell: the log is our own, so this is damage, and said loudly.
   */
  void unreadable(Record<byte[], byte[]> log, MisfitException reason) {
    LOG.error("A record of the log is damaged, at {}: {}", place(), reason.getMessage());
    forward(log, "", reason);
  }

  /** A cell with a field that is not of its type. */
  void misfit(Record<byte[], byte[]> log, String index, LogCell cell, MisfitException reason) {
    if (count < LOGGED_FIRST || count % LOGGED_EACH == 0) {
      LOG.warn(
          "Not indexed ({} so far in this task): {} does not fit {}: {}",
          count + 1,
          new CellKey(cell.rowKey(), cell.columnName(), cell.refKey()),
          index,
          reason.getMessage());
    }
    forward(log, index, reason);
  }

  private void forward(Record<byte[], byte[]> log, String index, MisfitException reason) {
    count++;
    sensor.record();
    var headers = new RecordHeaders(log.headers());
    if (!index.isEmpty()) {
      headers.add("index", bytes(index));
    }
    headers.add("field", bytes(reason.field()));
    headers.add("rule", bytes(reason.rule()));
    context
        .recordMetadata()
        .ifPresent(
            at -> {
              headers.add("topic", bytes(at.topic()));
              headers.add("partition", bytes(Integer.toString(at.partition())));
              headers.add("offset", bytes(Long.toString(at.offset())));
            });
    context.forward(fitting(log, headers).withHeaders(headers), IndexTopology.UNINDEXED);
  }

  /**
   * What the topic would refuse goes without its value: a refusal would end the thread, for ever.
   */
  private static Record<byte[], byte[]> fitting(Record<byte[], byte[]> log, Headers headers) {
    if (log.value() == null || log.value().length <= MOST_VALUE) {
      return log;
    }
    headers.add("size", bytes(Integer.toString(log.value().length)));
    return log.withValue(null);
  }

  private String place() {
    return context
        .recordMetadata()
        .map(at -> at.topic() + "-" + at.partition() + " offset " + at.offset())
        .orElse("an unknown place");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
