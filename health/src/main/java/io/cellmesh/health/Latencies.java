package io.cellmesh.health;

import java.util.Arrays;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** How long something took, counted by a few bounds from half a millisecond on. Thread-safe. */
public final class Latencies {
  private static final double[] BOUNDS = {
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    5,
    10,
    Double.POSITIVE_INFINITY
  };

  private final LongAdder[] counts = new LongAdder[BOUNDS.length];
  private final DoubleAdder sum = new DoubleAdder();

  public Latencies() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Counts one that took so long. */
  public void took(double seconds) {
    int i = 0;
    while (seconds > BOUNDS[i]) {
      i++;
    }
    counts[i].increment();
    sum.add(seconds);
  }

  /** The upper bounds, the last of which has no end. */
  static double[] bounds() {
    return BOUNDS.clone();
  }

  /** How many were up to each bound and above the one before it. */
  long[] counts() {
    return Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
  }

  /** All of them together, in seconds. */
  double sum() {
    return sum.sum();
  }
}
