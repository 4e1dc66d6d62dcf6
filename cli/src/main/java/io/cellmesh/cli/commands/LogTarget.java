package io.cellmesh.cli.commands;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.operations.MySqlEnvironment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.LogSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say whose log is meant: a stack's, or that of servers of one's own. */
final class LogTarget {
  @Mixin private DataCenterTarget stack;
  @Mixin private OwnServers servers;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "The topology.yaml, for servers of your own; with --connect, in place of --state.")
  private Optional<Path> topology = Optional.empty();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "Kafka; without it progress is told by the stored offsets alone.")
  private Optional<String> kafka = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "root",
      description =
          "The MySQL user that counts the rows (default: root); its password is taken from the "
              + "environment, as docs/security.md says.")
  private String user;

  /**
   * @throws OperationException if servers of one's own are named, and not as they must be
   */
  LogSite site() throws IOException {
    var own = servers.with(topology);
    if (own.isEmpty()) {
      var deployment = stack.open();
      return LogSite.of(stack.of(deployment), deployment.credentials());
    }
    var read = TopologyYaml.parse(Files.readString(own.get().topology()));
    return new LogSite(
        read, own.get().connect(), kafka, MySqlEnvironment.ofProcess().credentials(user, read));
  }
}
