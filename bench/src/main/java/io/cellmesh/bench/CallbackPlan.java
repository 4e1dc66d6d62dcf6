package io.cellmesh.bench;

/**
 * What to measure of callbacks.
 *
 * @param cells of the log
 * @param rounds of each contestant
 * @param seconds for each measurement that has a length of time, at most
 * @param profile whether to run more rounds, under a profiler
 */
public record CallbackPlan(long cells, int rounds, int seconds, boolean profile) {
  private static final long LEAST_CELLS = 10_000;

  /**
   * @throws InvalidPlanException naming the option and the rule
   */
  public CallbackPlan {
    InvalidPlanException.check(
        cells >= LEAST_CELLS && rounds >= 1 && seconds >= 1,
        "--cells must be at least %d, --rounds and --seconds at least 1".formatted(LEAST_CELLS));
  }
}
