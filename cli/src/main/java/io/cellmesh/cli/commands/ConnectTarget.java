package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which data centre a command talks to, where it needs its Connect. */
final class ConnectTarget {
  @Mixin private OwnServers servers;

  @Option(
      names = "--connect",
      paramLabel = "URL",
      description = "With --topology: a Connect worker, such as http://connect1:8083.")
  private Optional<URI> connect = Optional.empty();

  /** As {@link OwnServers#others}. */
  List<DataCenter> others() throws IOException {
    return servers.others();
  }

  /**
   * @param kafka with a topology, bootstrap servers
   * @param replication with a topology, the user with which minions follow their master
   * @throws OperationException if servers of one's own are named, and not as they must be
   */
  DataCenter site(Optional<String> kafka, Optional<String> replication) throws IOException {
    if (servers.areNamed() && connect.isEmpty()) {
      throw OperationException.invalid("servers of your own are named by --topology and --connect");
    }
    return servers.datacenter(connect, kafka, replication);
  }
}
