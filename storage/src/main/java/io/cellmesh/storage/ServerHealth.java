package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;

/** What is known of servers without asking them. Thread-safe. */
public interface ServerHealth {
  /** Whether the last word from a server was a good one. */
  boolean healthy(Server server);

  /** Whether it is healthy, and did not refuse the last write because it takes none. */
  boolean writable(Server server);

  /** Leaves a server alone until it answers a probe, which is sent at once. */
  void suspect(Server server);
}
