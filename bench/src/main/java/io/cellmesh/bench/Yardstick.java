package io.cellmesh.bench;

import io.cellmesh.bench.IndexFigures.Hop;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast the machine is just now: the time that a fixed calculation takes on one processor. A
 * guest whose host is shared may be half as fast from one minute to the next, or be stopped for
 * many milliseconds now and then, and no counter of its own tells it. The median tells the one, the
 * 99th percentile the other.
 */
final class Yardstick {
  /** Some eight milliseconds' work. */
  private static final int STEPS = 5_000_000;

  private static final int TIMES = 200;

  /** So many until the JVM has compiled it. */
  private static final int WARM_UP = 10;

  /** Where the results go, lest the compiler find that nobody wants them. */
  private static final AtomicLong RESULT = new AtomicLong();

  private Yardstick() {}

  /** Takes about two seconds. To be asked with the machine at rest. */
  static Hop measure() {
    var times = new long[TIMES];
    for (int i = -WARM_UP; i < TIMES; i++) {
      long begin = System.nanoTime();
      RESULT.set(calculate(RESULT.get() | 1));
      times[Math.max(0, i)] = System.nanoTime() - begin;
    }
    return Hop.of("yardstick", times);
  }

  /** Each step needs the one before, so that it can't be made shorter. (Marsaglia's xorshift64.) */
  private static long calculate(long seed) {
    long x = seed;
    for (int i = 0; i < STEPS; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    return x;
  }
}
