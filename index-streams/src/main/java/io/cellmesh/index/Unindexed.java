package io.cellmesh.index;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.index.LogCell;
import io.cellmesh.cell.index.MisfitException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends on what an index could not take in, with the reason in the headers: {@code index} (absent
 * if the record is no cell at all), {@code field}, {@code rule}, and {@code topic}, {@code
 * partition} and {@code offset} of the log record, which is passed on as it is; if it is too large,
 * without its value, whose length stands in {@code size}.
 */
final class Unindexed {
  /** Where Streams puts the count, one metric a task. */
  static final String METRIC_GROUP = "stream-index-metrics";

  static final String METRIC_TOTAL = "unindexed-total";

  private static final Logger LOG = LoggerFactory.getLogger(Unindexed.class);
  private static final int LOGGED_FIRST = 10;

  /** Of a topic's largest record, 4 MiB, what is left beside the headers that are added here. */
  private static final int MOST_BYTES = (4 << 20) - (64 << 10);

  /** The lengths of a header's key and value, at their longest. */
  private static final int HEADER_OVERHEAD = 10;

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
    if (isLogged()) {
      LOG.warn(
          "Not indexed ({} so far in this task): {} does not fit {}: {}",
          count + 1,
          new CellKey(cell.rowKey(), cell.columnName(), cell.refKey()),
          index,
          reason.getMessage());
    }
    forward(log, index, reason);
  }

  /**
   * A record that makes our own code fail, which is a fault of it: the record goes aside, so that
   * the fault stops nothing. Its message is not told, since it may hold what is the user's.
   *
   * @param index empty if it failed before any
   */
  void unprocessable(Record<byte[], byte[]> log, String index, RuntimeException fault) {
    var what = fault.getClass().getName();
    if (isLogged()) {
      var trace = fault.getStackTrace();
      var where = trace.length == 0 ? "an unknown line" : trace[0];
      LOG.error("A record could not be processed: {} at {}; it was at {}", what, where, place());
    }
    forward(log, index, new MisfitException("record", "could not be processed: " + what));
  }

  private boolean isLogged() {
    return count < LOGGED_FIRST || count % LOGGED_EACH == 0;
  }

  private void forward(Record<byte[], byte[]> log, String index, MisfitException reason) {
    count++;
    sensor.record();
    var fitting = fitting(log);
    var headers = fitting.headers();
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
    context.forward(fitting, IndexTopology.UNINDEXED);
  }

  /**
   * What the topic would refuse goes without its value, and without key and headers if these alone
   * are too large: a refusal would end the thread, for ever.
   *
   * @return with headers of its own
   */
  private static Record<byte[], byte[]> fitting(Record<byte[], byte[]> log) {
    int value = length(log.value());
    long beside = length(log.key());
    for (var header : log.headers()) {
      beside += Utils.utf8Length(header.key()) + length(header.value()) + HEADER_OVERHEAD;
    }
    if (beside + value <= MOST_BYTES) {
      return log.withHeaders(log.headers());
    }
    boolean bare = beside > MOST_BYTES;
    var headers = bare ? new RecordHeaders() : new RecordHeaders(log.headers());
    headers.add("size", bytes(Integer.toString(value)));
    return log.withKey(bare ? null : log.key()).withValue((byte[]) null).withHeaders(headers);
  }

  private static int length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
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
