package io.cellmesh.worker.read;

import java.util.Arrays;

/** How long a server took for its last answers. Thread-safe. */
final class RecentLatencies {
  private static final int KEPT = 500;

  /** Below this the highest percents are no more than the one slowest answer. */
  private static final int ENOUGH = 100;

  /** To sort them costs more than what a few answers change. */
  private static final int BETWEEN_SORTS = 50;

  private final long[] nanos = new long[KEPT];
  private long count;

  /** In their order, as they were at the last sort. */
  private long[] sorted = {};

  private long sortedAt;

  synchronized void took(long latency) {
    nanos[(int) (count++ % KEPT)] = latency;
  }

  /**
   * What so many of a hundred answers did not take longer than.
   *
   * @return nanoseconds; {@link Long#MAX_VALUE} if too few were seen to tell
   */
  synchronized long percentile(int percent) {
    if (count < ENOUGH) {
      return Long.MAX_VALUE;
    }
    if (count - sortedAt >= BETWEEN_SORTS) {
      sorted = Arrays.copyOf(nanos, (int) Math.min(count, KEPT));
      Arrays.sort(sorted);
      sortedAt = count;
    }
    return sorted[(sorted.length * percent + 99) / 100 - 1];
  }
}
