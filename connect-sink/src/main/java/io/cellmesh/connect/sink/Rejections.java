package io.cellmesh.connect.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The way to {@code trips.rejected}: Connect's dead-letter queue, which keeps the original record
 * and puts the reason into its headers (invariant 4). Thread-safe.
 */
public final class Rejections {
  private final ErrantRecordReporter reporter;
  private final List<Future<Void>> pending = new ArrayList<>();

  public Rejections(ErrantRecordReporter reporter) {
    this.reporter = reporter;
  }

  /** Sends a record there; {@link #await} knows when it has arrived. */
  public synchronized void reject(SinkRecord record, Exception reason) {
    pending.add(reporter.report(record, reason));
  }

  /**
   * Waits until all that was sent is acknowledged.
   *
   * @throws ConnectException if Kafka refused one: nothing that follows it may be committed
   */
  public synchronized void await() {
    try {
      for (var future : pending) {
        future.get();
      }
      pending.clear();
    } catch (ExecutionException e) {
      throw new ConnectException(
          "a rejected record could not be written to the dead-letter topic", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("stopped while waiting for the dead-letter topic", e);
    }
  }
}
