package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say whose log is meant. */
final class LogTarget {
  @Mixin private OwnServers servers;

  @Option(
      names = "--connect",
      paramLabel = "URL",
      description = "With --topology: a Connect worker, such as http://connect1:8083.")
  private Optional<URI> connect = Optional.empty();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description =
          "With --topology: Kafka; without it progress is told by the stored offsets alone.")
  private Optional<String> kafka = Optional.empty();

  /**
   * @throws OperationException if servers of one's own are named, and not as they must be
   */
  DataCenter site() throws IOException {
    if (servers.areNamed() && connect.isEmpty()) {
      throw OperationException.invalid("servers of your own are named by --topology and --connect");
    }
    return servers.datacenter(connect, kafka, Optional.empty());
  }
}
