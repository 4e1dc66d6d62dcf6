package io.cellmesh.topics.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Holds a loop to a rate, from its first step on; for one thread. */
public final class Pace {
  private final double nanosPerStep;
  private final LongSupplier clock;
  private long start;
  private long steps;

  /**
   * @param perSecond 0 for as fast as possible
   * @param clock of nanoseconds
   */
  public Pace(double perSecond, LongSupplier clock) {
    this.nanosPerStep = perSecond > 0 ? 1e9 / perSecond : 0;
    this.clock = clock;
  }

  /** How long to wait before the next step, in nanoseconds. */
  long due() {
    long now = clock.getAsLong();
    if (steps == 0) {
      start = now;
    }
    return Math.max(0, start + (long) (nanosPerStep * steps) - now);
  }

  /** Waits until the next step is due; at once if the thread is interrupted. */
  public void await() {
    for (long wait = due(); wait > 0 && !Thread.currentThread().isInterrupted(); wait = due()) {
      LockSupport.parkNanos(wait);
    }
    steps++;
  }
}
