package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The shard map as one storage cluster was last told, so that whoever reads cells learns of a
 * change without the file of whoever changed it. Its versions are the clusters' epochs: of each
 * cluster it only gets newer (see {@link Topology#withNewerOf}).
 */
public final class TopologyTable {
  private final String table;

  public TopologyTable(Topology topology) {
    this.table = Names.metaDatabase(topology.instance()) + ".topology";
  }

  /**
   * Reads the map.
   *
   * @return empty if the cluster was never told
   * @throws io.cellmesh.cell.TopologyException if what is there is no map
   */
  public Optional<Topology> read(Connection connection) throws SQLException {
    try {
      return read(connection, "");
    } catch (SQLException e) {
      if (MySqlErrors.isNoSuchTable(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Writes a map down on a cluster's master, whence it reaches the minions. Where the one that is
   * there knows more of a cluster, that stays; so it may be repeated, and come late.
   */
  public void put(Connection connection, Topology topology) throws SQLException {
    var there = read(connection);
    if (there.isPresent() && there.get().equals(topology.withNewerOf(there.get()))) {
      // So one that is read-only is no hindrance where there is nothing to write.
      return;
    }
    create(connection);
    connection.setAutoCommit(false);
    try {
      var before = read(connection, " FOR UPDATE");
      var after = before.map(topology::withNewerOf).orElse(topology);
      if (!before.equals(Optional.of(after))) {
        write(connection, after);
      }
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private Optional<Topology> read(Connection connection, String lock) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT map FROM " + table + " WHERE id = 1" + lock)) {
      return rows.next() ? Optional.of(TopologyYaml.parse(rows.getString(1))) : Optional.empty();
    }
  }

  private void write(Connection connection, Topology topology) throws SQLException {
    try (var insert =
        connection.prepareStatement(
            "INSERT INTO "
                + table
                + " (id, map) VALUES (1, ?) AS new ON DUPLICATE KEY UPDATE map = new.map")) {
      insert.setString(1, TopologyYaml.write(topology));
      insert.executeUpdate();
    }
  }

  /** Instances that are older than this table have none. */
  private void create(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS %s (
            id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
            map MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL
          ) ENGINE=InnoDB"""
              .formatted(table));
    }
  }
}
