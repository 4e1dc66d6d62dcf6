package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The positions of one cluster. They are locked and advanced in the transaction that inserts the
 * cells, which makes them lock, fence and memory at once (invariant 2).
 */
public final class PositionTable {
  private final String table;

  public PositionTable(Topology topology) {
    this.table = Names.metaDatabase(topology.instance()) + ".position";
  }

  /** The positions of the given partitions, without a lock. */
  public Map<Integer, Position> read(Connection connection, Collection<Integer> partitions)
      throws SQLException {
    return select(connection, partitions, "");
  }

  /** The positions of the given partitions, locked in the order of their numbers until commit. */
  public Map<Integer, Position> lock(Connection connection, Collection<Integer> partitions)
      throws SQLException {
    return select(connection, partitions, " ORDER BY partition_no FOR UPDATE");
  }

  /** Stores positions that this transaction has locked. */
  public void store(Connection connection, Map<Integer, Position> positions) throws SQLException {
    var sql = new StringBuilder("INSERT INTO ").append(table).append(" VALUES ");
    sql.append("(?,?,?),".repeat(positions.size())).setLength(sql.length() - 1);
    sql.append(
        " AS new ON DUPLICATE KEY UPDATE cells_next = new.cells_next, mesh_next = new.mesh_next");
    try (var update = connection.prepareStatement(sql.toString())) {
      int index = 0;
      for (var entry : positions.entrySet()) {
        update.setInt(++index, entry.getKey());
        update.setLong(++index, entry.getValue().cells());
        update.setLong(++index, entry.getValue().mesh());
      }
      update.executeUpdate();
    }
  }

  private Map<Integer, Position> select(
      Connection connection, Collection<Integer> partitions, String suffix) throws SQLException {
    var positions = new HashMap<Integer, Position>();
    var list = partitions.stream().map(String::valueOf).collect(Collectors.joining(","));
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT partition_no, cells_next, mesh_next FROM "
                    + table
                    + " WHERE partition_no IN ("
                    + list
                    + ")"
                    + suffix)) {
      while (rows.next()) {
        positions.put(rows.getInt(1), new Position(rows.getLong(2), rows.getLong(3)));
      }
    }
    return positions;
  }
}
