package io.cellmesh.index;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Counts the stream threads of a pass that died, and says how long the next one waits: longer each
 * time, as long as they die soon after one another.
 */
final class ThreadDeaths {
  private static final long PAUSE_SECONDS = 2;
  private static final long LONGEST_PAUSE_SECONDS = 30;

  /** Who lives so long has not died of what its forerunner did. */
  private static final Duration GOOD_LIFE = Duration.ofMinutes(1);

  /** So many in a row are no accident. */
  private static final int FAILING = 3;

  private final LongSupplier nanos;
  private long count;
  private int inARow;
  private long nextNanos;
  private String last = "";

  /**
   * @param nanos a clock, such as {@link System#nanoTime}
   */
  ThreadDeaths(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Counts one; returns the seconds until it is to be replaced. */
  synchronized long add(Throwable failure) {
    inARow = isSoon() ? inARow + 1 : 1;
    count++;
    last = failure.toString();
    long pause = Math.min(LONGEST_PAUSE_SECONDS, PAUSE_SECONDS << Math.min(inARow - 1, Byte.SIZE));
    nextNanos = nanos.getAsLong() + Duration.ofSeconds(pause).toNanos();
    return pause;
  }

  synchronized long count() {
    return count;
  }

  /** Why the last one died; empty before the first. */
  synchronized String last() {
    return last;
  }

  /** Whether they die again and again. */
  synchronized boolean isFailing() {
    return inARow >= FAILING && isSoon();
  }

  private boolean isSoon() {
    return count > 0 && nanos.getAsLong() - nextNanos < GOOD_LIFE.toNanos();
  }
}
