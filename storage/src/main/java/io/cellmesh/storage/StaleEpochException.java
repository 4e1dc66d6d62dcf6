package io.cellmesh.storage;

import java.sql.SQLException;

/** A writer's map is older than the database: another master may have been promoted meanwhile. */
public final class StaleEpochException extends SQLException {
  private static final long serialVersionUID = 1L;

  public StaleEpochException(String cluster, int epoch) {
    super(
        "the topology says epoch %d of cluster %s, the database says another: give the connector the current topology"
            .formatted(epoch, cluster));
  }
}
