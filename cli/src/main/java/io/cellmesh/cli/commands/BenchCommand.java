package io.cellmesh.cli.commands;

import io.cellmesh.bench.Plan;
import io.cellmesh.bench.SinkBench;
import io.cellmesh.bench.Soak;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cli.connectors.InstanceConnectors;
import io.cellmesh.cli.deployment.StateDirectory;
import io.cellmesh.cli.outcome.CliException;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.storage.Credentials;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench}: measurements against peers. */
@Command(
    name = "bench",
    header = "Measure Cellmesh against its peers, on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {BenchCommand.Sink.class, LogBenchCommand.class})
final class BenchCommand {

  /** {@code bench sink}. */
  @Command(
      name = "sink",
      header = "The sink beside Debezium's JDBC sink and plain JDBC inserts.",
      description =
          "Starts real servers for each side, brings the same cells into their topics and times how "
              + "fast they become visible in MySQL: warm-up first, round by round in turn, the other "
              + "side frozen. Prints the median of the rounds.")
  static final class Sink implements Callable<Integer> {
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
        defaultValue = "400000",
        description =
            "Cells before the first round, while each worker's JVM compiles (default: 400000).")
    private long warmUp;

    @Option(
        names = "--shards",
        paramLabel = "S",
        split = ",",
        defaultValue = "64",
        description =
            "Numbers of shards, such as 64,1024; the first beside the peer (default: 64).")
    private List<Integer> shards;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "3",
        description = "Measured rounds of each side (default: 3).")
    private int rounds;

    @Option(
        names = "--latency",
        description =
            "Measure the time from the producer to the committed row, too, at 1,000 cells a second "
                + "for 30 s.")
    private boolean latency;

    @Option(
        names = "--profile",
        description =
            "Run two more rounds of each sink under Java's flight recorder, and say where its "
                + "worker's time went.")
    private boolean profile;

    @Option(
        names = "--soak",
        paramLabel = "N",
        description =
            "Instead of all this: bring N cells through the sink, with minions, and say what its "
                + "worker's memory did.")
    private Optional<Long> soak = Optional.empty();

    @Option(
        names = "--json",
        description = "Print the result as a JSON object, too, in one line and last.")
    private boolean json;

    Sink(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      check();
      var document = soak.isPresent() ? soak(soak.get()) : measure();
      if (json) {
        console.jsonLine(document);
      }
      return ExitCodes.OK;
    }

    private void check() {
      if (cells < 20_000 || warmUp < 1 || rounds < 1 || soak.filter(n -> n < 20_000).isPresent()) {
        throw CliException.usage(
            "--cells and --soak must be at least 20000, --warm-up and --rounds at least 1");
      }
      if (shards.stream().anyMatch(s -> s < 16 || s > Shards.MAX_COUNT || s % 16 != 0)) {
        throw CliException.usage(
            "--shards: multiples of 16, the partitions, up to " + Shards.MAX_COUNT);
      }
    }

    private Map<String, Object> measure() throws Exception {
      var plan = new Plan(cells, warmUp, shards, rounds, latency, profile);
      var figures = new SinkBench(plan, Sink::shipped, console::note).run();
      new SinkBenchReport(console, figures).print();
      return figures.document();
    }

    private Map<String, Object> soak(long count) throws Exception {
      var figures = new Soak(Sink::shipped, console::note).run(count);
      new SoakReport(console, figures).print();
      return figures.document();
    }

    private static Map<String, String> shipped(Topology topology, String bootstrap)
        throws IOException {
      return BenchCommand.shipped("CellSinkConnector", topology, bootstrap);
    }
  }

  /** A shipped configuration, by the simple name of its connector's class. */
  static Map<String, String> shipped(String connectorClass, Topology topology, String bootstrap)
      throws IOException {
    var connectors =
        new InstanceConnectors(topology, bootstrap, new Credentials("root", ""), List.of())
            .render(StateDirectory.home().resolve("connectors"));
    return connectors.stream()
        .filter(connector -> connector.connectorClass().endsWith("." + connectorClass))
        .findFirst()
        .orElseThrow(
            () -> CliException.environment("connectors/ has no configuration of " + connectorClass))
        .config();
  }
}
