package io.cellmesh.operations.promotion;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the other data centres have of the cells that the servers of a cluster wrote first. They had
 * them from its log, so whoever lacks one of them must not be its master: it would give out the ids
 * of those cells again.
 */
@FunctionalInterface
public interface OthersKnow {
  /** Where there are no others. */
  OthersKnow NOTHING = (topology, cluster, candidate, pools, unheard) -> Optional.empty();

  /**
   * Says what a server lacks of them, in a sentence; empty if it lacks nothing that is known.
   *
   * @param candidate of the cluster
   * @param pools to sign on to it with
   * @param unheard told of each of the others that does not answer in time
   * @throws SQLException if the server does not answer
   */
  Optional<String> lack(
      Topology topology,
      StorageCluster cluster,
      Server candidate,
      Pools pools,
      Consumer<String> unheard)
      throws SQLException, InterruptedException;
}
