package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import java.util.concurrent.ConcurrentHashMap;

/** The servers of a topology, each with its breaker. Thread-safe. */
public final class Nodes implements AutoCloseable {
  private final Pools pools;
  private final ConcurrentHashMap<String, Node> nodes = new ConcurrentHashMap<>();

  /** Takes over the pools and closes them. */
  public Nodes(Pools pools) {
    this.pools = pools;
  }

  public Node of(Server server) {
    return nodes.computeIfAbsent(server.address(), address -> new Node(server, pools));
  }

  @Override
  public void close() {
    pools.close();
  }
}
