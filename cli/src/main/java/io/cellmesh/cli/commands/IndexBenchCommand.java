package io.cellmesh.cli.commands;

import io.cellmesh.bench.IndexBench;
import io.cellmesh.bench.IndexPlan;
import io.cellmesh.bench.report.IndexBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.stack.ShippedConnectors;
import io.cellmesh.terminal.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench index}. */
@Command(
    name = "index",
    header = "Indexes: how fresh, how fast built beside a pass-through application, how fast read.",
    description =
        "Starts real servers: a master and its minion, Kafka, a Connect worker, index-streams. Times "
            + "the way from a cell's commit to its entries in three indexes, with the log read from "
            + "the minion, as shipped, and from the master, in turn; then how fast the log "
            + "becomes entries, beside a Kafka Streams application that only copies it, and entries "
            + "become rows, round by round in turn; then queries at the client.")
final class IndexBenchCommand implements Callable<Integer> {
  private static final int LEAST_CELLS = 10_000;

  private final Console console;

  @Mixin private BenchOptions options;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "500",
      description = "Cells a second while freshness is measured (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "30",
      description = "For how long freshness is measured in each round (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Entries in the index that is queried, 20 for each driver (default: ${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Queries that are timed (default: ${DEFAULT-VALUE}).")
  private int queries;

  IndexBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var plan = options.plan(true, LEAST_CELLS);
    var figures =
        new IndexBench(
                new IndexPlan(plan, rate, seconds, entries, queries),
                ShippedConnectors::source,
                ShippedConnectors::indexSink,
                console::note)
            .run();
    new IndexBenchReport(console, figures).print();
    options.print(console, figures.document());
    return ExitCodes.OK;
  }
}
