package io.cellmesh.stack.chaos;

import java.time.Duration;

/**
 * How cells are produced in a data centre.
 *
 * @param rate cells a second
 * @param rise in which they become that many, from none: what has just been started is slow
 * @param linger how long the producers wait for more of them
 */
public record Load(int rate, Duration rise, Duration linger) {
  private static final Duration LINGER = Duration.ofMillis(20);

  /** So many from the first second on. */
  public static Load of(int rate) {
    return new Load(rate, Duration.ZERO, LINGER);
  }

  /** How many cells are to have been sent after so long. */
  long due(Duration elapsed) {
    double seconds = elapsed.toNanos() / 1e9;
    double rising = rise.toNanos() / 1e9;
    double full = seconds < rising ? seconds * seconds / (2 * rising) : seconds - rising / 2;
    return (long) (rate * full);
  }
}
