package io.cellmesh.bench;

import java.util.Arrays;

/** What becomes of many figures. */
public final class Statistics {
  private Statistics() {}

  /** The middle one, or the mean of the two in the middle. */
  public static double median(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    var sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The smallest value that at least so many of a hundred do not exceed (nearest rank).
   *
   * @param percent above 0, at most 100
   */
  public static long percentile(long[] values, double percent) {
    if (values.length == 0 || percent <= 0 || percent > 100) {
      throw new IllegalArgumentException(percent + " % of " + values.length + " values");
    }
    var sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(percent / 100 * sorted.length) - 1];
  }
}
