package io.cellmesh.cli.commands;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
              + "failure domain to buffer its cells. "
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
      return 0;
    }
  }
}
