package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;

/** The epochs of all clusters, as one cluster knows them (invariant 10). */
public final class EpochTable {
  private final String table;

  public EpochTable(Topology topology) {
    this.table = Names.metaDatabase(topology.instance()) + ".epoch";
  }

  /**
   * @throws StaleEpochException if the database of this connection knows another epoch
   */
  public void check(Connection connection, StorageCluster cluster) throws SQLException {
    try (var query =
        connection.prepareStatement("SELECT epoch FROM " + table + " WHERE cluster = ?")) {
      query.setString(1, cluster.name());
      try (var rows = query.executeQuery()) {
        if (!rows.next() || rows.getInt(1) != cluster.epoch()) {
          throw new StaleEpochException(cluster.name(), cluster.epoch());
        }
      }
    }
  }
}
