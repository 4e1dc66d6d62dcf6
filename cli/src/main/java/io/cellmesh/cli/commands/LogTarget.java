package io.cellmesh.cli.commands;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.log.LogSite;
import io.cellmesh.cli.outcome.CliException;
import io.cellmesh.cli.users.MySqlEnvironment;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say whose log is meant: a stack's, or that of servers of one's own. */
final class LogTarget {
  @Mixin private DataCenterTarget stack;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "The topology.yaml, for servers of your own; with --connect, in place of --state.")
  private Optional<Path> topology = Optional.empty();

  @Option(
      names = "--connect",
      paramLabel = "URL",
      description = "A Connect worker, such as http://connect1:8083.")
  private Optional<URI> connect = Optional.empty();

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
   * @throws CliException if only a part of a place was named
   */
  LogSite site() throws IOException {
    if (topology.isEmpty() && connect.isEmpty()) {
      var deployment = stack.open();
      return LogSite.of(stack.of(deployment), deployment.credentials());
    }
    if (topology.isEmpty() || connect.isEmpty()) {
      throw CliException.usage("servers of your own are named by --topology and --connect");
    }
    if (connect.get().getHost() == null) {
      throw CliException.usage("--connect: " + connect.get() + " is not http://host:port");
    }
    return new LogSite(
        TopologyYaml.parse(Files.readString(topology.get())),
        connect.get(),
        kafka,
        MySqlEnvironment.ofProcess().credentials(user));
  }
}
