package io.cellmesh.bench;

import java.util.List;

/**
 * The rounds of one contestant.
 *
 * @param shards how many tables it wrote to
 */
public record Result(String name, int shards, List<Round> rounds) {
  public Result {
    rounds = List.copyOf(rounds);
  }

  /** The median round's. */
  public double cellsPerSecond() {
    return Statistics.median(rounds.stream().mapToDouble(Round::cellsPerSecond).toArray());
  }

  /** The median of the rounds' middle parts. */
  public double steady() {
    return Statistics.median(rounds.stream().mapToDouble(Round::steady).toArray());
  }
}
