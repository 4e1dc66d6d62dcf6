package io.cellmesh.bench;

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
  public Plan {
    shards = List.copyOf(shards);
  }
}
