package io.cellmesh.stack.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Durations of one hop, in milliseconds. */
public final class Samples {
  private final String hop;
  private final List<Double> millis = new ArrayList<>();

  Samples(String hop) {
    this.hop = hop;
  }

  public String hop() {
    return hop;
  }

  void add(long fromNanos, long toNanos) {
    millis.add(Math.max(0, (toNanos - fromNanos) / 1e6));
  }

  public int count() {
    return millis.size();
  }

  /**
   * The value below which a share of the samples lies.
   *
   * @param share 0.5 for the median
   */
  public double percentile(double share) {
    if (millis.isEmpty()) {
      return Double.NaN;
    }
    var sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    int index = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.max(0, index));
  }
}
