package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The positions of one cluster. They are locked and advanced in the transaction that inserts the
 * cells ({@link EntityTransaction}), which makes them lock, fence and memory at once (invariant 2).
 */
public final class PositionTable {
  static final String COLUMNS = "partition_no, cells_next, cells_digest, mesh_next, mesh_digest";

  private final String table;

  public PositionTable(Topology topology) {
    this.table = name(topology);
  }

  static String name(Topology topology) {
    return Names.metaDatabase(topology.instance()) + ".position";
  }

  /**
   * The condition that a row is of one of some partitions, for a statement that locks nothing.
   *
   * <p>Each is asked for as a range. Where the whole primary key is given, InnoDB may find the row
   * through its adaptive hash index, and MySQL 8.0 has been seen to answer then with what a
   * transaction has written and not committed: a position without its cells.
   */
  static String isOneOf(Collection<Integer> partitions) {
    return partitions.stream()
        .map(p -> "partition_no > %d AND partition_no < %d".formatted(p - 1, p + 1))
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** The positions of the given partitions, as they are committed; without a lock. */
  public Map<Integer, Position> read(Connection connection, Collection<Integer> partitions)
      throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT " + COLUMNS + " FROM " + table + " WHERE " + isOneOf(partitions))) {
      var positions = new HashMap<Integer, Position>();
      while (rows.next()) {
        positions.put(rows.getInt(1), position(rows));
      }
      return positions;
    }
  }

  /**
   * Moves a position by hand.
   *
   * @return false if it is no longer the expected one: nothing was changed then
   */
  public boolean move(
      Connection connection, int partition, IngestTopic topic, Mark expected, Mark to)
      throws SQLException {
    var columns = topic.column();
    var sql =
        "UPDATE %1$s SET %2$s_next = ?, %2$s_digest = ? WHERE partition_no = ? AND %2$s_next = ? AND %2$s_digest = ?"
            .formatted(table, columns);
    try (var update = connection.prepareStatement(sql)) {
      update.setLong(1, to.next());
      update.setLong(2, to.digest());
      update.setInt(3, partition);
      update.setLong(4, expected.next());
      update.setLong(5, expected.digest());
      return update.executeUpdate() == 1;
    }
  }

  /** The position where the result stands, which selects {@link #COLUMNS} first. */
  static Position position(ResultSet row) throws SQLException {
    return new Position(
        new Mark(row.getLong(2), row.getLong(3)), new Mark(row.getLong(4), row.getLong(5)));
  }
}
