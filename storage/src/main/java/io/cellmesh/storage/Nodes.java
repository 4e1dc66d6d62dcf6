package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The servers of a topology, each with its breaker. Thread-safe. */
public final class Nodes implements ServerHealth, AutoCloseable {
  private final Pools pools;
  private final ConcurrentHashMap<String, Node> nodes = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor probes;

  /** Takes over the pools and closes them. */
  public Nodes(Pools pools) {
    this.pools = pools;
    // Several threads, so that a probe of a stuck server does not delay those of others.
    this.probes =
        new ScheduledThreadPoolExecutor(
            4,
            task -> {
              var thread = new Thread(task, "cellmesh-probe");
              thread.setDaemon(true);
              return thread;
            });
  }

  public Node of(Server server) {
    return nodes.computeIfAbsent(server.address(), address -> new Node(server, pools, probes));
  }

  @Override
  public boolean healthy(Server server) {
    return of(server).healthy();
  }

  @Override
  public boolean writable(Server server) {
    return of(server).writable();
  }

  @Override
  public void suspect(Server server) {
    of(server).suspect();
  }

  @Override
  public void close() {
    probes.shutdownNow();
    pools.close();
  }
}
