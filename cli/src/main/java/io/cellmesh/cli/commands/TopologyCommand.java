package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code topology}: what concerns the shard map as a file. */
@Command(
    name = "topology",
    header = "Look at a topology.yaml.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = TopologyCommand.Check.class)
final class TopologyCommand {

  /** {@code topology check}. */
  @Command(
      name = "check",
      header = "Check that a topology can be used.",
      description =
          "Every shard must have exactly one cluster, and every cluster another one outside its "
              + "failure domain to buffer its cells. With one such cluster only, the two stall each "
              + "other, which is a warning. "
              + "A topology that can't be used ends in exit code 2.")
  static final class Check implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "FILE", description = "The topology.yaml.")
    private Path file;

    Check(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      var topology = TopologyYaml.parse(Files.readString(file)).requireSecondaries();
      console.line(
          "instance %s in %s: %d shards in %d partitions"
              .formatted(
                  topology.instance(),
                  topology.datacenter(),
                  topology.shards().count(),
                  topology.shards().partitions()));
      var table = Table.of("cluster", "shards", "epoch>", "master", "minions", "buffered on");
      for (var cluster : topology.clusters()) {
        table.row(
            cluster.name(),
            cluster.shards(),
            cluster.epoch(),
            cluster.master(),
            cluster.minions().isEmpty() ? "none" : Texts.list(cluster.minions()),
            Texts.list(topology.secondariesOf(cluster).stream().map(c -> c.name()).toList()));
      }
      console.table(table);
      warnings(topology).forEach(line -> console.line(console.style(Style.YELLOW, line)));
      return ExitCodes.OK;
    }

    /** What can be used and should be known. */
    private static List<String> warnings(Topology topology) {
      var warnings = new ArrayList<String>();
      for (var cluster : topology.clusters()) {
        var secondaries = topology.secondariesOf(cluster);
        if (secondaries.size() == 1) {
          warnings.add(
              "warning: only %2$s can buffer cells of %1$s: while %2$s's master is down no cell of %1$s is secured; a third cluster in a failure domain of its own ends that"
                  .formatted(cluster.name(), secondaries.get(0).name()));
        }
        if (cluster.minions().isEmpty()) {
          warnings.add(
              "warning: %s lists no minion: copies of its cells stay in the buffers for ever"
                  .formatted(cluster.name()));
        }
      }
      return warnings;
    }
  }
}
