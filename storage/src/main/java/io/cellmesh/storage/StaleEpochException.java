package io.cellmesh.storage;

import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.SQLException;
import java.util.Collection;
import java.util.stream.Collectors;

/** A writer's map is older than the database: another master may have been promoted meanwhile. */
public final class StaleEpochException extends SQLException {
  private static final long serialVersionUID = 1L;

  public StaleEpochException(String cluster, int epoch) {
    this("epoch %d of cluster %s".formatted(epoch, cluster));
  }

  /**
   * @param clusters of which one is meant
   */
  StaleEpochException(Collection<StorageCluster> clusters) {
    this(
        clusters.stream()
            .map(cluster -> "epoch %d of cluster %s".formatted(cluster.epoch(), cluster.name()))
            .collect(Collectors.joining(", ")));
  }

  private StaleEpochException(String epochs) {
    super(
        "the topology says %s, the database says another: give the connector the current topology"
            .formatted(epochs));
  }
}
