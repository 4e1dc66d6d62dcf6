package io.cellmesh.bench;

import io.cellmesh.cell.Shards;
import java.util.List;

/**
 * What to measure.
 *
 * @param cells of each measured round
 * @param warmUp cells before the first
 * @param shards numbers of shards; the first is measured beside the peer
 * @param latency whether to measure it, too
 * @param profile whether to run more rounds, under a profiler
 */
public record Plan(
    long cells, long warmUp, List<Integer> shards, int rounds, boolean latency, boolean profile) {
  private static final int PARTITIONS = 16;

  /**
   * @throws InvalidPlanException naming the option and the rule
   */
  public Plan {
    shards = List.copyOf(shards);
    check(cells, warmUp, rounds, 1);
    InvalidPlanException.check(
        shards.stream()
            .allMatch(s -> s >= PARTITIONS && s <= Shards.MAX_COUNT && s % PARTITIONS == 0),
        "--shards: multiples of %d, the partitions, up to %d"
            .formatted(PARTITIONS, Shards.MAX_COUNT));
  }

  /**
   * Refuses rounds of fewer cells: they are over before a rate can be told.
   *
   * @throws InvalidPlanException naming the option and the rule
   */
  public Plan ofAtLeast(long leastCells) {
    check(cells, warmUp, rounds, leastCells);
    return this;
  }

  private static void check(long cells, long warmUp, int rounds, long leastCells) {
    InvalidPlanException.check(
        cells >= leastCells && warmUp >= 1 && rounds >= 1,
        "--cells must be at least %d, --warm-up and --rounds at least 1".formatted(leastCells));
  }
}
