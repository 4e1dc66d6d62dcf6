package io.cellmesh.worker.load;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The moment after which nobody needs an answer any more.
 *
 * @param nanos by the clock
 * @param clock that only goes forward, in nanoseconds
 */
public record Deadline(long nanos, LongSupplier clock) {
  /** The moment so far from now. */
  public static Deadline in(Duration time, LongSupplier clock) {
    return new Deadline(clock.getAsLong() + time.toNanos(), clock);
  }

  /** What is left, never less than nothing. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - clock.getAsLong()));
  }

  public boolean isOver() {
    return nanos - clock.getAsLong() <= 0;
  }
}
