package io.cellmesh.deployment;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A running instance: its data centres, and how to sign on to their servers.
 *
 * @param source what it was read from, for messages
 * @param datacenters at least one; all have the same instance, shards and partitions
 */
public record Deployment(String source, List<DataCenter> datacenters) {
  /** Names the file that commands and applications open if none is given. */
  public static final String VARIABLE = "CELLMESH_DEPLOYMENT";

  /** The file that is looked for in the working directory. */
  public static final String FILE = "cellmesh.yaml";

  /**
   * @throws DeploymentException if there is no data centre, one stands there twice, or two disagree
   *     about the instance, its shards or its partitions
   */
  public Deployment {
    datacenters = List.copyOf(datacenters);
    if (datacenters.isEmpty()) {
      throw new DeploymentException(source + ": datacenters: there is none");
    }
    var first = datacenters.get(0);
    for (var dc : datacenters) {
      if (datacenters.stream().filter(other -> other.name().equals(dc.name())).count() > 1) {
        throw new DeploymentException(
            source + ": datacenters: \"%s\" stands there twice".formatted(dc.name()));
      }
      if (!dc.topology().instance().equals(first.topology().instance())
          || !dc.topology().shards().equals(first.topology().shards())) {
        throw new DeploymentException(
            "%s: %s has instance %s with %s, and %s has %s with %s; every data centre of an instance has the same"
                .formatted(
                    source,
                    first.name(),
                    first.topology().instance(),
                    text(first),
                    dc.name(),
                    dc.topology().instance(),
                    text(dc)));
      }
    }
  }

  /**
   * Reads a {@code cellmesh.yaml}. Files in it are relative to its directory. Secrets are not
   * resolved yet.
   *
   * @throws DeploymentException naming file, line and rule
   * @throws IOException if it can't be read
   */
  public static Deployment read(Path file) throws IOException {
    return DeploymentYaml.parse(
        file.toString(), Files.readString(file), file.toAbsolutePath().getParent());
  }

  /**
   * Finds the file that is meant: the given one, else the one that the environment names, else the
   * one in the working directory.
   *
   * @return empty if there is none
   */
  public static Optional<Path> find(Optional<Path> given) {
    return given
        .or(() -> Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of))
        .or(() -> Optional.of(Path.of(FILE)).filter(Files::isRegularFile));
  }

  public String instance() {
    return datacenters.get(0).topology().instance();
  }

  public Topics topics() {
    return new Topics(instance());
  }

  public Shards shards() {
    return datacenters.get(0).topology().shards();
  }

  /**
   * The data centre of a name, or the first one.
   *
   * @throws DeploymentException if there is none of that name
   */
  public DataCenter datacenter(Optional<String> name) {
    if (name.isEmpty()) {
      return datacenters.get(0);
    }
    return datacenters.stream()
        .filter(dc -> dc.name().equals(name.get()))
        .findFirst()
        .orElseThrow(
            () ->
                new DeploymentException(
                    "there is no data centre \"%s\" in %s; there is %s"
                        .formatted(
                            name.get(),
                            source,
                            datacenters.stream().map(DataCenter::name).toList())));
  }

  /**
   * Whether a data centre's brokers are out of reach on purpose: nothing says how to reach them,
   * and every other data centre of which that is said reads it over HTTP. What else is not said of
   * it can't be seen from here, and is no mistake.
   */
  public boolean hidesBrokers(DataCenter dc) {
    if (dc.knowsKafka()) {
      return false;
    }
    var readers = datacenters.stream().filter(DataCenter::knowsKafka).toList();
    return !readers.isEmpty()
        && readers.stream()
            .allMatch(reader -> reader.mesh().peer(dc.name()) instanceof PeerAccess.Http);
  }

  /** The same without the data centres that hide their brokers. */
  public Deployment inReach() {
    return new Deployment(source, datacenters.stream().filter(dc -> !hidesBrokers(dc)).toList());
  }

  /** How whoever reads cells signs on to the server of any data centre. */
  public Function<Server, Credentials> reader() {
    return server -> of(server).reader();
  }

  /** How an operator signs on to the server of any data centre. */
  public Function<Server, Credentials> operator() {
    return server -> of(server).operator();
  }

  /** A server that no topology names belongs to the first. */
  private DataCenter of(Server server) {
    return datacenters.stream().filter(dc -> dc.has(server)).findFirst().orElse(datacenters.get(0));
  }

  private static String text(DataCenter dc) {
    var shards = dc.topology().shards();
    return "%d shards and %d partitions".formatted(shards.count(), shards.partitions());
  }
}
