package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.ServerHealth;

/** Servers that are all well. */
class AllAnswer implements ServerHealth {
  @Override
  public boolean healthy(Server server) {
    return true;
  }

  @Override
  public boolean writable(Server server) {
    return true;
  }

  @Override
  public void suspect(Server server) {
    throw new AssertionError("all answer");
  }
}
