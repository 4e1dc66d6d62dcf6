package io.cellmesh.cli.commands;

import io.cellmesh.bench.Plan;
import io.cellmesh.terminal.Console;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every benchmark that runs rounds can be told. */
final class BenchOptions {
  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "300000",
      description = "Cells of each measured round (default: ${DEFAULT-VALUE}).")
  private long cells;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "400000",
      description =
          "Cells before the first round, while each worker's JVM compiles (default: ${DEFAULT-VALUE}).")
  private long warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measured rounds of each side (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--shards",
      paramLabel = "S",
      split = ",",
      defaultValue = "64",
      description = "Over how many shards, or several numbers of them (default: ${DEFAULT-VALUE}).")
  private List<Integer> shards;

  @Option(
      names = "--profile",
      description =
          "Run two more rounds under Java's flight recorder, and say where the worker's time went.")
  private boolean profile;

  @Mixin private JsonLineOption json;

  /**
   * What they come to.
   *
   * @param latency whether that is measured, too
   * @param leastCells of a round: fewer are over before a rate can be told
   */
  Plan plan(boolean latency, int leastCells) {
    return new Plan(cells, warmUp, shards, rounds, latency, profile).ofAtLeast(leastCells);
  }

  /** The last line of a run, if it was asked for. */
  void print(Console console, Map<String, Object> document) {
    json.print(console, document);
  }
}
