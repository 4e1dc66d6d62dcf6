package io.cellmesh.cli.commands;

import io.cellmesh.bench.CapacityBench;
import io.cellmesh.bench.CapacityPlan;
import io.cellmesh.bench.report.CapacityBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.stack.ShippedConnectors;
import io.cellmesh.terminal.Console;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench capacity}. */
@Command(
    name = "capacity",
    header = "What numbers of storage clusters cost, beside what `capacity` says.",
    description =
        "For each of --clusters it starts so many small MySQL masters with their minions, a broker and "
            + "a Connect worker with the sink and the sources, brings cells at each of --rates, and "
            + "counts connections, threads, memory, statements, commits, bytes and processor time. "
            + "Some four minutes each; eight clusters with a minion take 5 GB of memory.")
final class CapacityBenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--clusters",
      paramLabel = "C",
      split = ",",
      defaultValue = "2,4",
      description = "Numbers of storage clusters (default: ${DEFAULT-VALUE}).")
  private List<Integer> clusters;

  @Option(
      names = "--minions",
      paramLabel = "N",
      description = "Minions of each cluster (default: 1).")
  private int minions = 1;

  @Option(
      names = "--shards",
      paramLabel = "S",
      defaultValue = "64",
      description = "Shards, in 16 partitions (default: ${DEFAULT-VALUE}).")
  private int shards;

  @Option(names = "--tasks", paramLabel = "T", description = "Sink tasks (default: 2).")
  private int tasks = 2;

  @Option(
      names = "--rates",
      paramLabel = "R",
      split = ",",
      defaultValue = "50,500",
      description = "Cells a second, one after another (default: ${DEFAULT-VALUE}).")
  private List<Integer> rates;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "60",
      description = "For how long at each rate (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Mixin private JsonLineOption json;

  CapacityBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var figures =
        new CapacityBench(
                new CapacityPlan(clusters, minions, shards, tasks, rates, seconds),
                ShippedConnectors::sink,
                ShippedConnectors::source,
                console::note)
            .run();
    new CapacityBenchReport(console, figures).print();
    json.print(console, figures.document());
    return ExitCodes.OK;
  }
}
