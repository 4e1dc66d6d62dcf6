package io.cellmesh.stack;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.Endpoints;
import io.cellmesh.operations.DataCenter;
import io.cellmesh.operations.Deployment;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.MySqlEnvironment;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;

/**
 * The directory of a running stack: {@code endpoints.json} says where its servers listen and which
 * roles they have now, {@code topology-DC.yaml} what is fixed, {@code indexes/PASS/} what is
 * indexed and which indexes are built together.
 */
public record StateDirectory(Path path) {
  private static final String USER = "root";

  /** Where a stack is kept if the user names no other place. */
  public static StateDirectory usual() {
    return new StateDirectory(home().resolve(".cellmesh").resolve("stack"));
  }

  /**
   * The given directory, or else that of the stack that was kept last.
   *
   * @throws OperationException if there is none
   */
  public static StateDirectory find(Optional<Path> given) throws IOException {
    var state = given.map(StateDirectory::new).orElse(remembered().orElse(usual()));
    if (!Files.isRegularFile(state.endpoints())) {
      throw OperationException.unavailable(
          given.isPresent()
              ? given.get() + " holds no stack: it has no endpoints.json"
              : "no stack is kept; start one with `cellmesh up`, or name one with --state DIR");
    }
    return state;
  }

  /** The checkout that everything is started from. */
  public static Path home() {
    return CellmeshHome.dir();
  }

  /** Lets later commands find this stack by themselves. */
  public void remember() throws IOException {
    Files.createDirectories(pointer().getParent());
    Files.writeString(pointer(), path.toAbsolutePath().normalize() + "\n");
  }

  /** Undoes {@link #remember}, if it is this stack that is remembered. */
  public void forget() throws IOException {
    if (remembered().filter(this::equals).isPresent()) {
      Files.deleteIfExists(pointer());
    }
  }

  public Path endpoints() {
    return path.resolve(Endpoints.FILE);
  }

  public Path topology(String datacenter) {
    return path.resolve("topology-" + datacenter + ".yaml");
  }

  /** Each of its subdirectories is a pass of index-streams, with the definitions that it builds. */
  public Path indexes() {
    return path.resolve("indexes");
  }

  /** What runs there, with the roles as they are now. */
  public Deployment open() throws IOException {
    var endpoints = Endpoints.read(path);
    var datacenters = new ArrayList<DataCenter>();
    for (var dc : endpoints.dcs()) {
      var topology = TopologyYaml.parse(Files.readString(topology(dc.name())));
      datacenters.add(new DataCenter(dc.name(), dc.kafka(), dc.connect(), topology));
    }
    return new Deployment(
        endpoints.instance(),
        datacenters,
        IndexFile.readAll(indexes()),
        credentials(endpoints, datacenters.get(0).topology()),
        RoleUsers.of(path).map(users -> users));
  }

  private static Credentials credentials(Endpoints endpoints, Topology topology) {
    var url = URI.create(endpoints.dcs().get(0).clusters().get(0).master());
    return MySqlEnvironment.ofProcess()
        .credentials(url.getUserInfo() == null ? USER : url.getUserInfo(), topology);
  }

  private static Path pointer() {
    return home().resolve(".cellmesh").resolve("last");
  }

  private static Optional<StateDirectory> remembered() throws IOException {
    if (!Files.isRegularFile(pointer())) {
      return Optional.empty();
    }
    return Optional.of(new StateDirectory(Path.of(Files.readString(pointer()).strip())));
  }
}
