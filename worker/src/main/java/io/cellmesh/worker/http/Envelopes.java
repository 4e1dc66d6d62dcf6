package io.cellmesh.worker.http;

import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.LogRecord;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Writes cells as the log carries them, by writers that are kept: to make one takes longer than to
 * write a short cell. Thread-safe.
 */
final class Envelopes {
  /** Those that are kept; more are made when they are needed, and closed after it. */
  private static final int KEPT = 16;

  private static final ArrayBlockingQueue<EnvelopeWriter> WRITERS = new ArrayBlockingQueue<>(KEPT);

  private Envelopes() {}

  /**
   * The envelope of a cell.
   *
   * @throws IllegalStateException if its body is damaged
   */
  static byte[] write(LogRecord cell) {
    var kept = WRITERS.poll();
    var writer = kept == null ? new EnvelopeWriter() : kept;
    try {
      return writer.write(cell);
    } finally {
      if (!WRITERS.offer(writer)) {
        writer.close();
      }
    }
  }
}
