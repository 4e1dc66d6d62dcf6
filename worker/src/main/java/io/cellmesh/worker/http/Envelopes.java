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

  /** A writer has room for the largest cell it wrote; that of a larger one is not kept. */
  private static final int LARGE = 1 << 18;

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
    byte[] envelope = null;
    try {
      envelope = writer.write(cell);
      return envelope;
    } finally {
      if (envelope == null || envelope.length > LARGE || !WRITERS.offer(writer)) {
        writer.close();
      }
    }
  }
}
