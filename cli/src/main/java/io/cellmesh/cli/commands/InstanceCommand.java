package io.cellmesh.cli.commands;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.storage.Credentials;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code instance}: what concerns an instance on MySQL servers of one's own. */
@Command(
    name = "instance",
    header = "Create an instance on MySQL servers of your own.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = InstanceCommand.Create.class)
final class InstanceCommand {

  /** {@code instance create}. */
  @Command(
      name = "create",
      header = "Create the databases of an instance on the masters of a topology.",
      description =
          "One database a shard, and one for positions and buffers. What exists is left alone, so "
              + "it can be run again after an interruption; other fixed values than the stored ones "
              + "are refused. The password is taken from the environment, CELLMESH_MYSQL_PASSWORD.")
  static final class Create implements Callable<Integer> {
    private static final String PASSWORD = "CELLMESH_MYSQL_PASSWORD";

    private final Console console;

    @Option(
        names = "--topology",
        required = true,
        paramLabel = "FILE",
        description = "The topology.yaml of the data centre.")
    private Path topologyFile;

    @Option(
        names = "--user",
        paramLabel = "NAME",
        defaultValue = "root",
        description = "The MySQL user (default: root).")
    private String user;

    Create(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, SQLException {
      var topology = TopologyYaml.parse(Files.readString(topologyFile)).requireSecondaries();
      var password = Optional.ofNullable(System.getenv(PASSWORD)).orElse("");
      try (var pools = new Pools(new Credentials(user, password));
          var bar = console.progress("databases", topology.shards().count())) {
        var schema = new InstanceSchema(topology, pools);
        for (var cluster : topology.clusters()) {
          schema.create(cluster, bar::advance);
        }
      }
      console.line(
          "instance %s: %d shards on %d storage clusters of %s"
              .formatted(
                  topology.instance(),
                  topology.shards().count(),
                  topology.clusters().size(),
                  topology.datacenter()));
      return ExitCodes.OK;
    }
  }
}
