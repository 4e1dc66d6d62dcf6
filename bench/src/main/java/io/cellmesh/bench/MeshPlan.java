package io.cellmesh.bench;

import java.util.List;

/**
 * What to measure of links between data centres.
 *
 * @param cells of each backlog
 * @param warmUp cells before the first backlog, each time that somebody begins
 * @param rounds of each way
 * @param seconds for which each latency is measured
 * @param delays milliseconds one way
 */
public record MeshPlan(long cells, long warmUp, int rounds, int seconds, List<Integer> delays) {
  private static final int LEAST_CELLS = 1_000;
  private static final int LONGEST = 1_000;

  /**
   * @throws InvalidPlanException naming the option and the rule
   */
  public MeshPlan {
    delays = List.copyOf(delays);
    InvalidPlanException.check(
        cells >= LEAST_CELLS && warmUp >= 1 && rounds >= 1 && seconds >= 1,
        "--cells must be at least %d, --warm-up, --rounds and --seconds at least 1"
            .formatted(LEAST_CELLS));
    InvalidPlanException.check(
        delays.stream().allMatch(delay -> delay >= 0 && delay <= LONGEST)
            && delays.stream().distinct().count() == delays.size(),
        "--delays: milliseconds from 0 to %d, each once, not %s".formatted(LONGEST, delays));
  }
}
