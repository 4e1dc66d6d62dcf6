package io.cellmesh.triggers;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * How many cells a thread takes at once. Where a callback takes single cells and is quick, a thread
 * calls it with several in turn, so that threads don't spend their time handing over; where it is
 * slow, each cell has a thread of its own.
 */
final class BatchSize implements IntSupplier {
  private static final long QUICK = Duration.ofNanos(20_000).toNanos();
  private static final long SWIFT = Duration.ofNanos(200_000).toNanos();
  private static final int MANY = 64;
  private static final int SOME = 8;

  private final int fixed;
  private volatile long nanosPerCell = SWIFT;

  private BatchSize(int fixed) {
    this.fixed = fixed;
  }

  /** As many as a callback of batches asked for. */
  static BatchSize of(int cells) {
    return new BatchSize(cells);
  }

  /** By the time that a callback of single cells takes. */
  static BatchSize measured() {
    return new BatchSize(0);
  }

  @Override
  public int getAsInt() {
    if (fixed > 0) {
      return fixed;
    }
    long each = nanosPerCell;
    return each < QUICK ? MANY : each < SWIFT ? SOME : 1;
  }

  /** Threads that tell it at the same time may overwrite each other: it is for a ratio. */
  void took(long nanos, int cells) {
    long each = nanos / cells;
    nanosPerCell = each > nanosPerCell ? each : nanosPerCell - (nanosPerCell - each) / 8;
  }
}
