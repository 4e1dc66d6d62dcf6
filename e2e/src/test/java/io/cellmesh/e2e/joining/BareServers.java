package io.cellmesh.e2e.joining;

import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The servers of some data centres, on which nothing is at first, and deployments of them: which
 * servers are whose is said in each.
 *
 * @param state where they lie
 */
record BareServers(Path state, DevStack stack) implements AutoCloseable {
  static final int SHARDS = 8;

  private static final Path HOME = StateDirectory.home();

  /** Starts those of so many data centres, named dc1, dc2 and so on. */
  static BareServers start(Path state, int datacenters) throws Exception {
    var options =
        Options.defaults()
            .withStateDir(state.resolve("servers"))
            .withInstance("trips", SHARDS, 4)
            .withDatacenters(datacenters)
            .withMinions(0)
            .withWorkerSetting("offset.flush.interval.ms", "1000")
            .withPlugins(StackOptions.plugins(HOME));
    return new BareServers(state, DevStack.start(options, Progress.silent()));
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
   * @param more lines of the entry
   */
  String entry(String name, String of, String more) throws IOException {
    var topology = state.resolve("%s-of-%s.yaml".formatted(name, of));
    Files.writeString(
        topology,
        Files.readString(stack.topologyFile(of))
            .replaceFirst("(?m)^datacenter: .*$", "datacenter: " + name));
    return """
      - name: %s
        topology: "%s"
        kafka: {bootstrap: "%s"}
        connect: {url: "%s"}
        mysql: {user: root}
        connectors: {user: root}
    %s\
    """
        .formatted(
            name, topology, stack.broker(of).bootstrap(), stack.worker(of).url(), more.indent(4));
  }

  /**
   * Starts the herb-replicator of a data centre.
   *
   * @param name of the application
   */
  void startHerb(Path deployment, String dc, String name) {
    stack.startApp(
        new JavaApp.Spec(
            name + "-herb",
            CellmeshHome.application(HOME, "herb-replicator"),
            "io.cellmesh.herb.HerbReplicatorMain",
            List.of("--deployment", deployment.toString(), "--dc", dc, "--health-port", "0"),
            Map.of(),
            List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")));
  }

  /** Stops all that a data centre runs on, as if it were lost. */
  void lose(String dc) {
    stack.app(dc + "-herb").stop();
    stack.worker(dc).stop();
    stack.broker(dc).stop();
    stack.clusters(dc).forEach(cluster -> cluster.master().stop());
  }

  @Override
  public void close() {
    stack.close();
  }
}
