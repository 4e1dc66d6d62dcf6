package io.cellmesh.bench;

import io.cellmesh.cell.Shards;
import java.util.List;

/**
 * What {@link CapacityBench} measures.
 *
 * @param clusters numbers of storage clusters, each on servers of its own
 * @param minions of each cluster
 * @param shards of the instance
 * @param tasks of the sink
 * @param rates cells a second, one after another
 * @param seconds at each rate
 */
public record CapacityPlan(
    List<Integer> clusters, int minions, int shards, int tasks, List<Integer> rates, int seconds) {
  /** Of every topic. */
  static final int PARTITIONS = 16;

  private static final int MOST_CLUSTERS = 32;

  /** Seconds that a mean of Kafka's metrics looks back: a slower rate before must not be in it. */
  private static final int METRIC_WINDOW = 60;

  /**
   * @throws InvalidPlanException naming the option and the rule
   */
  public CapacityPlan {
    clusters = List.copyOf(clusters);
    rates = List.copyOf(rates);
    InvalidPlanException.check(
        !clusters.isEmpty() && clusters.stream().allMatch(c -> c >= 2 && c <= MOST_CLUSTERS),
        "--clusters: numbers from 2 to " + MOST_CLUSTERS);
    InvalidPlanException.check(minions >= 0 && minions <= 2, "--minions: from 0 to 2");
    InvalidPlanException.check(
        shards % PARTITIONS == 0 && shards >= PARTITIONS && shards <= Shards.MAX_COUNT,
        "--shards: a multiple of %d, the partitions, up to %d"
            .formatted(PARTITIONS, Shards.MAX_COUNT));
    InvalidPlanException.check(tasks >= 1 && tasks <= PARTITIONS, "--tasks: 1 to " + PARTITIONS);
    InvalidPlanException.check(
        !rates.isEmpty() && rates.stream().allMatch(r -> r >= 1), "--rates: 1 or more");
    InvalidPlanException.check(
        seconds >= METRIC_WINDOW,
        "--seconds: at least %d, since the sink's metrics are of the last minute"
            .formatted(METRIC_WINDOW));
  }
}
