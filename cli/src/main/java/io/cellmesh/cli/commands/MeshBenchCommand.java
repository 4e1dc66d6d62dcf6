package io.cellmesh.cli.commands;

import io.cellmesh.bench.MeshBench;
import io.cellmesh.bench.MeshPlan;
import io.cellmesh.bench.report.MeshBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.stack.ShippedConnectors;
import io.cellmesh.terminal.Console;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench mesh}. */
@Command(
    name = "mesh",
    header = "Links between data centres beside MirrorMaker 2 with Debezium's JDBC sink.",
    description =
        "Starts two data centres whose Kafkas are as far from each other as --delays says, and times "
            + "for links over Kafka and over HTTP and for the peer how fast a backlog in the origin's "
            + "log is committed in the far MySQL, and how long a cell takes at 1,000 a second; at "
            + "last for both links from the commit in the origin's MySQL on. Takes some eight minutes.")
final class MeshBenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Cells of each backlog (default: ${DEFAULT-VALUE}).")
  private long cells;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "150000",
      description = "Cells before the first backlog of a round (default: ${DEFAULT-VALUE}).")
  private long warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Measured rounds of each way (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "For how long each latency is measured (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--delays",
      paramLabel = "MS",
      split = ",",
      defaultValue = "0,20,40",
      description = "Milliseconds from one data centre to the other (default: ${DEFAULT-VALUE}).")
  private List<Integer> delays;

  @Mixin private JsonLineOption json;

  MeshBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var plan = new MeshPlan(cells, warmUp, rounds, seconds, delays);
    var figures =
        new MeshBench(plan, ShippedConnectors::sink, ShippedConnectors::source, console::note)
            .run();
    new MeshBenchReport(console, figures).print();
    json.print(console, figures.document());
    return ExitCodes.OK;
  }
}
