package io.cellmesh.worker.load;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Paces what is done again and again, by a clock that nobody sets. Not thread-safe. */
public final class Interval {
  private final LongSupplier nanos;
  private boolean begun;
  private long last;

  /**
   * @param nanos the clock
   */
  public Interval(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Says whether so long has passed since it last said so, or it never has. */
  public boolean hasPassed(Duration least) {
    long now = nanos.getAsLong();
    if (begun && now - last < least.toNanos()) {
      return false;
    }
    begun = true;
    last = now;
    return true;
  }
}
