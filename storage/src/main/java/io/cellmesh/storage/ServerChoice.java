package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;

/** Which server of a cluster answers. */
@FunctionalInterface
public interface ServerChoice {
  Server of(StorageCluster cluster);

  /** Whether a server is worth asking where any would do; others are asked last. */
  default boolean isHealthy(Server server) {
    return true;
  }

  /**
   * The first minion, or the master.
   *
   * @param fromMinion whether the first minion does, where there is one
   */
  static ServerChoice of(boolean fromMinion) {
    return cluster -> cluster.reader(fromMinion);
  }
}
