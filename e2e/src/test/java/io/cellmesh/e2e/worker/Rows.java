package io.cellmesh.e2e.worker;

import io.cellmesh.cell.Topology;
import java.util.UUID;

/** Draws rows. */
final class Rows {
  private Rows() {}

  /** A new row that a cluster owns. */
  static UUID of(Topology topology, String cluster) {
    while (true) {
      var row = UUID.randomUUID();
      if (topology.clusterOf(topology.shards().of(row)).name().equals(cluster)) {
        return row;
      }
    }
  }
}
