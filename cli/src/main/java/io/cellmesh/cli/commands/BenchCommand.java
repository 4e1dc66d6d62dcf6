package io.cellmesh.cli.commands;

import io.cellmesh.bench.SinkBench;
import io.cellmesh.bench.Soak;
import io.cellmesh.bench.report.SinkBenchReport;
import io.cellmesh.bench.report.SoakReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.ShippedConnectors;
import io.cellmesh.terminal.Console;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench}: measurements against peers. */
@Command(
    name = "bench",
    header = "Measure Cellmesh against its peers, on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BenchCommand.Sink.class,
      LogBenchCommand.class,
      IndexBenchCommand.class,
      TriggerBenchCommand.class,
      WorkerBenchCommand.class,
      MeshBenchCommand.class,
      EncodeBenchCommand.class,
      CapacityBenchCommand.class
    })
final class BenchCommand {

  /** {@code bench sink}. */
  @Command(
      name = "sink",
      header = "The sink beside Debezium's JDBC sink and plain JDBC inserts.",
      description =
          "Starts real servers for each side, brings the same cells into their topics and times how "
              + "fast they become visible in MySQL: warm-up first, round by round in turn, the other "
              + "side frozen. Prints the median of the rounds. With several --shards, such as 64,1024, "
              + "ours over each of them; the first beside the peer.")
  static final class Sink implements Callable<Integer> {
    private static final int LEAST_CELLS = 20_000;

    private final Console console;

    @Mixin private BenchOptions options;

    @Option(
        names = "--latency",
        description =
            "Measure the time from the producer to the committed row, too, at 1,000 cells a second "
                + "for 30 s.")
    private boolean latency;

    @Option(
        names = "--soak",
        paramLabel = "N",
        description =
            "Instead of all this: bring N cells through the sink, with minions, and say what its "
                + "worker's memory did.")
    private Optional<Long> soak = Optional.empty();

    Sink(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      options.print(console, soak.isPresent() ? soak(soak.get()) : measure());
      return ExitCodes.OK;
    }

    private Map<String, Object> measure() throws Exception {
      var figures =
          new SinkBench(options.plan(latency, LEAST_CELLS), ShippedConnectors::sink, console::note)
              .run();
      new SinkBenchReport(console, figures).print();
      return figures.document();
    }

    private Map<String, Object> soak(long count) throws Exception {
      if (count < LEAST_CELLS) {
        throw OperationException.invalid("--soak must be at least " + LEAST_CELLS);
      }
      var figures = new Soak(ShippedConnectors::sink, console::note).run(count);
      new SoakReport(console, figures).print();
      return figures.document();
    }
  }
}
