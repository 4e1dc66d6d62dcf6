package io.cellmesh.connect.sink;

import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How long a server takes for what it is asked: smoothed over some, at least as long as it is
 * taking for what is under way, and forgotten within a minute when nothing is asked, so that one
 * that was slow is asked again. All times are those of {@link System#nanoTime}. Thread-safe.
 */
final class Pace {
  /** What a time counts for that is above, or below, what was expected. */
  private static final double RISE = 0.5;

  private static final double FALL = 0.2;
  private static final double HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How many were begun at which time. */
  private final TreeMap<Long, Integer> underWay = new TreeMap<>();

  private double smoothed;
  private long at;

  synchronized void begin(long begin) {
    underWay.merge(begin, 1, Integer::sum);
  }

  /**
   * Ends what was begun at a time.
   *
   * @param taken whether it did what it was asked; if not, it counts as slow at once after so long
   */
  synchronized void ended(long begin, long now, boolean taken) {
    underWay.computeIfPresent(begin, (time, count) -> count == 1 ? null : count - 1);
    double before = smoothed == 0 ? now - begin : decayed(now);
    double more = now - begin - before;
    smoothed = before + (taken ? (more > 0 ? RISE : FALL) * more : Math.max(0, more));
    at = now;
  }

  /** Nanoseconds to be expected; 0 if nothing is known. */
  synchronized double expected(long now) {
    return underWay.isEmpty() ? decayed(now) : Math.max(decayed(now), now - underWay.firstKey());
  }

  /** Nanoseconds since the oldest that is under way was begun; 0 if none is. */
  synchronized long underWay(long now) {
    return underWay.isEmpty() ? 0 : now - underWay.firstKey();
  }

  private double decayed(long now) {
    return smoothed * Math.pow(0.5, (now - at) / HALF_LIFE_NANOS);
  }
}
