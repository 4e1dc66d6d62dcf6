package io.cellmesh.bench;

/**
 * What {@link IndexBench} is to measure.
 *
 * @param plan its cells are those of a backfill round, its warm-up's go through the whole path
 *     before freshness is measured
 * @param rate cells a second while freshness is measured
 * @param seconds for how long
 * @param entries in the index that is queried
 * @param queries how many
 */
public record IndexPlan(Plan plan, int rate, int seconds, int entries, int queries) {
  private static final int LEAST_ENTRIES = 20;

  /**
   * @throws InvalidPlanException naming the option and the rule
   */
  public IndexPlan {
    InvalidPlanException.check(
        rate >= 1 && seconds >= 1 && queries >= 1 && entries >= LEAST_ENTRIES,
        "--rate, --seconds and --queries must be at least 1, --entries at least " + LEAST_ENTRIES);
    InvalidPlanException.check(
        plan.shards().size() == 1 && !plan.profile(),
        "bench index takes one number of --shards, and no --profile");
  }
}
