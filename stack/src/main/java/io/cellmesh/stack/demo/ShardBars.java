package io.cellmesh.stack.demo;

import java.util.Map;

/** How evenly the cells lie: one character a shard, as high as its count. */
public final class ShardBars {
  private static final String BARS = " ▁▂▃▄▅▆▇█";

  private ShardBars() {}

  /**
   * The bars of shards in their order. Where there are more shards than columns, a character stands
   * for several neighbours.
   */
  public static String of(Map<Integer, Long> counts, int columns) {
    int shards = counts.size();
    int each = Math.max(1, (shards + columns - 1) / columns);
    var sums = new long[(shards + each - 1) / each];
    counts.forEach((shard, count) -> sums[shard / each] += count);
    long most = 1;
    for (long sum : sums) {
      most = Math.max(most, sum);
    }
    var bars = new StringBuilder();
    for (long sum : sums) {
      bars.append(BARS.charAt((int) Math.ceil((BARS.length() - 1.0) * sum / most)));
    }
    return bars.toString();
  }
}
