package io.cellmesh.e2e.joining;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.e2e.Command;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of three data centres, and deployments of two, dc1 and dc2, that read each other over
 * HTTP: which servers are whose is said in each.
 */
final class PairOverHttp implements AutoCloseable {
  static final int SHARDS = 8;

  private static final Path HOME = StateDirectory.home();

  private final int dc1Port = DevStack.freePort();
  private final int dc2Port = DevStack.freePort();
  private final Path state;
  private final DevStack servers;
  private final Path all;

  private PairOverHttp(Path state, DevStack servers) throws IOException {
    this.state = state;
    this.servers = servers;
    this.all = file("all.yaml", entry("dc1", "dc1"), entry("dc2", "dc2"));
  }

  /** Starts the servers; nothing is on them. */
  static PairOverHttp start(Path state) throws Exception {
    var options =
        Options.defaults()
            .withStateDir(state.resolve("servers"))
            .withInstance("trips", SHARDS, 4)
            .withDatacenters(3)
            .withMinions(0)
            .withWorkerSetting("offset.flush.interval.ms", "1000")
            .withPlugins(StackOptions.plugins(HOME));
    return new PairOverHttp(state, DevStack.start(options, Progress.silent()));
  }

  DevStack servers() {
    return servers;
  }

  /** The deployment that their links and commands have. */
  Path all() {
    return all;
  }

  WrittenCells cells(String dc) throws IOException {
    return new WrittenCells(dc(dc));
  }

  /** A deployment of some data centres. */
  Path file(String name, String... entries) throws IOException {
    return Files.writeString(
        state.resolve(name), "instance: trips\ndatacenters:\n" + String.join("", entries));
  }

  /**
   * A data centre of a deployment.
   *
   * @param of whose servers it has
   */
  String entry(String name, String of) throws IOException {
    var topology = state.resolve("%s-of-%s.yaml".formatted(name, of));
    Files.writeString(
        topology,
        Files.readString(servers.topologyFile(of))
            .replaceFirst("(?m)^datacenter: .*$", "datacenter: " + name));
    return """
          - name: %s
            topology: "%s"
            kafka: {bootstrap: "%s"}
            connect: {url: "%s"}
            mysql: {user: root}
            connectors: {user: root}
        %s"""
        .formatted(
            name,
            topology,
            servers.broker(of).bootstrap(),
            servers.worker(of).url(),
            mesh(name).indent(4));
  }

  private String mesh(String name) {
    var text =
        "mesh: {serve: {port: %d, allow: [%s]}, peers: {%2$s: {transport: http, url: \"http://127.0.0.1:%d\"}}}";
    return switch (name) {
      case "dc1" -> text.formatted(dc1Port, "dc2", dc2Port);
      case "dc2" -> text.formatted(dc2Port, "dc1", dc1Port);
      default -> "";
    };
  }

  /**
   * Starts the herb-replicator of a data centre.
   *
   * @param name of the application
   */
  void startHerb(String dc, String name) {
    servers.startApp(
        new JavaApp.Spec(
            name + "-herb",
            CellmeshHome.application(HOME, "herb-replicator"),
            "io.cellmesh.herb.HerbReplicatorMain",
            List.of("--deployment", all.toString(), "--dc", dc, "--health-port", "0"),
            Map.of(),
            List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")));
  }

  /** Loads trips; returns how many cells they are. */
  long load(String dc, int seed, int trips) {
    return Command.load(seed, trips, "--deployment", all.toString(), "--dc", dc);
  }

  private DataCenter dc(String name) throws IOException {
    return Deployment.read(all).datacenter(Optional.of(name));
  }

  @Override
  public void close() {
    servers.close();
  }
}
