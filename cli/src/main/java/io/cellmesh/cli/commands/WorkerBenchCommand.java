package io.cellmesh.cli.commands;

import io.cellmesh.bench.WorkerBench;
import io.cellmesh.bench.WorkerPlan;
import io.cellmesh.bench.report.WorkerBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.stack.ShippedConnectors;
import io.cellmesh.terminal.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench worker}. */
@Command(
    name = "worker",
    header = "A worker node beside plain JDBC.",
    description =
        "Starts two masters, a broker, the sink and a worker node, and asks for the same cells, rows "
            + "and index pages over HTTP and by plain JDBC, in turn: as fast as answers come, and at "
            + "1,000 a second. Then what the node's memory does, idle connections, and how long "
            + "written cells take beside a producer of one's own.")
final class WorkerBenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measured rounds of each side (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "How long a round lasts (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that ask, of either side (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "After how many the memory is looked at again (default: ${DEFAULT-VALUE}).")
  private long requests;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Idle connections to keep open (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Mixin private JsonLineOption json;

  WorkerBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var plan = new WorkerPlan(rounds, seconds, threads, requests, connections);
    var figures = new WorkerBench(plan, ShippedConnectors::sink, console::note).run();
    new WorkerBenchReport(console, figures).print();
    json.print(console, figures.document());
    return ExitCodes.OK;
  }
}
