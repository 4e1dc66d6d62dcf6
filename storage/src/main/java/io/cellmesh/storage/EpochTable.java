package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The epochs of all clusters, as one cluster knows them. They only rise: whoever writes compares
 * the one in his map with them, so that a map from before a promotion is refused (invariant 10).
 */
public final class EpochTable {
  private final String table;

  public EpochTable(Topology topology) {
    this.table = Names.metaDatabase(topology.instance()) + ".epoch";
  }

  /** By the clusters' names. */
  public Map<String, Integer> read(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT cluster, epoch FROM " + table)) {
      var epochs = new TreeMap<String, Integer>();
      while (rows.next()) {
        epochs.put(rows.getString(1), rows.getInt(2));
      }
      return epochs;
    }
  }

  /**
   * Raises the epoch of a cluster to a value; one that is there already or higher is left alone.
   * Waits for writers that have checked the old one and are not done.
   *
   * @return whether it was lower
   */
  public boolean raise(Connection connection, String cluster, int epoch) throws SQLException {
    try (var update =
        connection.prepareStatement(
            "UPDATE " + table + " SET epoch = ? WHERE cluster = ? AND epoch < ?")) {
      update.setInt(1, epoch);
      update.setString(2, cluster);
      update.setInt(3, epoch);
      return update.executeUpdate() > 0;
    }
  }
}
