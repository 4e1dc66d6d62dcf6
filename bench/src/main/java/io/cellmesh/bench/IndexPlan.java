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
public record IndexPlan(Plan plan, int rate, int seconds, int entries, int queries) {}
