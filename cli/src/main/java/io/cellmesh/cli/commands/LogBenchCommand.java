package io.cellmesh.cli.commands;

import io.cellmesh.bench.LogBench;
import io.cellmesh.bench.Plan;
import io.cellmesh.bench.ShardsBench;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cli.outcome.CliException;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.terminal.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench log}. */
@Command(
    name = "log",
    header = "The log beside Debezium's MySQL connector.",
    description =
        "Starts real servers, writes cells into the entity tables of a storage cluster, and times how "
            + "fast they become records: everybody reads the same binlog, one after the other in the "
            + "same worker, warmed up and round by round in turn. Prints the median of the rounds, "
            + "and what the worker uses at rest.")
final class LogBenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "300000",
      description = "Cells of each measured round (default: 300000).")
  private long cells;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "300000",
      description =
          "Cells before the first round, while the worker's JVM compiles (default: 300000).")
  private long warmUp;

  @Option(
      names = "--shards",
      paramLabel = "S",
      split = ",",
      defaultValue = "64",
      description =
          "Over how many shards (default: 64). With several numbers, such as 64,4096, ours alone over "
              + "each of them: time to create and to the first record, rate, the worker's heap.")
  private List<Integer> shards;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Measured rounds of each (default: 2).")
  private int rounds;

  @Option(
      names = "--latency",
      description =
          "Measure the time from the commit to a consumer, too, at 100 and 1,000 cells a second for "
              + "15 s each, from the minion and from the master.")
  private boolean latency;

  @Option(
      names = "--rest",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description =
          "How long to watch the worker at rest, without a connector and with ours; 0 for not at all "
              + "(default: 20).")
  private int rest;

  @Option(
      names = "--profile",
      description =
          "Run two more rounds under Java's flight recorder, and say where the worker's time went.")
  private boolean profile;

  @Option(
      names = "--json",
      description = "Print the result as a JSON object, too, in one line and last.")
  private boolean json;

  LogBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    check();
    var plan = new Plan(cells, warmUp, shards, rounds, latency, profile);
    var document = shards.size() > 1 ? byShards(plan) : besidePeer(plan);
    if (json) {
      console.jsonLine(document);
    }
    return ExitCodes.OK;
  }

  private Map<String, Object> besidePeer(Plan plan) throws Exception {
    var watched = Duration.ofSeconds(rest);
    var figures = new LogBench(plan, watched, LogBenchCommand::shipped, console::note).run();
    new LogBenchReport(console, figures).print();
    return figures.document();
  }

  private Map<String, Object> byShards(Plan plan) throws Exception {
    var figures = new ShardsBench(plan, LogBenchCommand::shipped, console::note).run();
    new ShardsBenchReport(console, figures).print();
    return figures.document();
  }

  private static Map<String, String> shipped(Topology topology, String bootstrap)
      throws IOException {
    return BenchCommand.shipped("CellSourceConnector", topology, bootstrap);
  }

  private void check() {
    if (cells < 10_000 || warmUp < 1 || rounds < 1 || rest < 0) {
      throw CliException.usage(
          "--cells must be at least 10000, --warm-up and --rounds at least 1, --rest 0");
    }
    if (shards.stream().anyMatch(s -> s < 16 || s > Shards.MAX_COUNT || s % 16 != 0)) {
      throw CliException.usage(
          "--shards: multiples of 16, the partitions, up to " + Shards.MAX_COUNT);
    }
  }
}
