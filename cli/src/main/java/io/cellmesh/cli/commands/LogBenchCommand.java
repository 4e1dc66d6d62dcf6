package io.cellmesh.cli.commands;

import io.cellmesh.bench.LogBench;
import io.cellmesh.bench.Plan;
import io.cellmesh.bench.ShardsBench;
import io.cellmesh.bench.report.LogBenchReport;
import io.cellmesh.bench.report.ShardsBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.ShippedConnectors;
import io.cellmesh.terminal.Console;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench log}. */
@Command(
    name = "log",
    header = "The log beside Debezium's MySQL connector.",
    description =
        "Starts real servers, writes cells into the entity tables of a storage cluster, and times how "
            + "fast they become records: everybody reads the same binlog, one after the other in the "
            + "same worker, warmed up and round by round in turn. Prints the median of the rounds, "
            + "and what the worker uses at rest. With several --shards, such as 64,4096, ours alone "
            + "over each of them: time to create and to the first record, rate, the worker's heap.")
final class LogBenchCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private BenchOptions options;

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

  LogBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (rest < 0) {
      throw OperationException.invalid("--rest must be at least 0");
    }
    var plan = options.plan(latency, 10_000);
    options.print(console, plan.shards().size() > 1 ? byShards(plan) : besidePeer(plan));
    return ExitCodes.OK;
  }

  private Map<String, Object> besidePeer(Plan plan) throws Exception {
    var watched = Duration.ofSeconds(rest);
    var figures = new LogBench(plan, watched, ShippedConnectors::source, console::note).run();
    new LogBenchReport(console, figures).print();
    return figures.document();
  }

  private Map<String, Object> byShards(Plan plan) throws Exception {
    var figures = new ShardsBench(plan, ShippedConnectors::source, console::note).run();
    new ShardsBenchReport(console, figures).print();
    return figures.document();
  }
}
