package io.cellmesh.cli.commands;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.bench.SinkBench;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench}: measurements against peers. */
@Command(
    name = "bench",
    header = "Measure Cellmesh against its peers, on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = BenchCommand.Sink.class)
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
        names = "--json",
        description = "Print the result as a JSON object, too, in one line and last.")
    private boolean json;

    Sink(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      if (cells < 1000 || rounds < 1) {
        throw CliException.usage("--cells must be at least 1000, --rounds at least 1");
      }
      var plan = new SinkBench.Plan(cells, shards, rounds);
      var figures = new SinkBench(plan, Sink::shipped, console::note).run();
      new SinkBenchReport(console, figures).print();
      if (json) {
        console.line(new ObjectMapper().writeValueAsString(figures.document()));
      }
      return ExitCodes.OK;
    }

    private static Map<String, String> shipped(Topology topology, String bootstrap)
        throws IOException {
      var connectors =
          new InstanceConnectors(topology, bootstrap, new Credentials("root", ""), List.of())
              .render(StateDirectory.home().resolve("connectors"));
      return connectors.stream()
          .filter(connector -> connector.connectorClass().endsWith(".CellSinkConnector"))
          .findFirst()
          .orElseThrow(() -> CliException.environment("connectors/cell-sink.json is missing"))
          .config();
    }
  }
}
