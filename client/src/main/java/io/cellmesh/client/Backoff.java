package io.cellmesh.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long a call waits before it is repeated: anything between nothing and a bound that doubles
 * (full jitter), so that those who failed together don't come back together.
 */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(20);
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 6;

  private final DoubleSupplier random;

  /**
   * @param random from 0 to less than 1
   */
  Backoff(DoubleSupplier random) {
    this.random = random;
  }

  /**
   * Draws the time before a retry.
   *
   * @param retry how many came before it
   */
  Duration delay(int retry) {
    long bound = Math.min(LONGEST.toNanos(), FIRST.toNanos() << Math.min(retry, MOST_DOUBLINGS));
    return Duration.ofNanos((long) (bound * random.getAsDouble()));
  }
}
