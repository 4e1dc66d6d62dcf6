package io.cellmesh.e2e.joining;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.e2e.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The servers of three data centres, and deployments of two, dc1 and dc2, that read each other over
 * HTTP: which servers are whose is said in each.
 */
final class PairOverHttp implements AutoCloseable {
  static final int SHARDS = BareServers.SHARDS;

  private final int dc1Port = DevStack.freePort();
  private final int dc2Port = DevStack.freePort();
  private final BareServers servers;
  private final Path all;

  private PairOverHttp(BareServers servers) throws IOException {
    this.servers = servers;
    this.all = file("all.yaml", entry("dc1", "dc1"), entry("dc2", "dc2"));
  }

  /** Starts the servers; nothing is on them. */
  static PairOverHttp start(Path state) throws Exception {
    return new PairOverHttp(BareServers.start(state, 3));
  }

  BareServers servers() {
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
    return servers.file(name, entries);
  }

  /**
   * A data centre of a deployment.
   *
   * @param of whose servers it has
   */
  String entry(String name, String of) throws IOException {
    return servers.entry(name, of, mesh(name));
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
    servers.startHerb(all, dc, name);
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
