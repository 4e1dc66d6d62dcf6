package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that names servers of one's own, together with a command's {@code --topology}. */
final class OwnServers {
  @Option(
      names = "--connect",
      paramLabel = "URL",
      description = "A Connect worker, such as http://connect1:8083.")
  private Optional<URI> connect = Optional.empty();

  /**
   * Where they are described.
   *
   * @param connect has a host
   */
  record Place(Path topology, URI connect) {}

  /**
   * @return empty if neither option is given: a stack of this tool is meant
   * @throws OperationException if only one is given, or the URL has no host
   */
  Optional<Place> with(Optional<Path> topology) {
    if (topology.isEmpty() && connect.isEmpty()) {
      return Optional.empty();
    }
    if (topology.isEmpty() || connect.isEmpty()) {
      throw OperationException.invalid("servers of your own are named by --topology and --connect");
    }
    if (connect.get().getHost() == null) {
      throw OperationException.invalid("--connect: " + connect.get() + " is not http://host:port");
    }
    return Optional.of(new Place(topology.get(), connect.get()));
  }
}
