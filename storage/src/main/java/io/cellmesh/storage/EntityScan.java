package io.cellmesh.storage;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Reads a whole shard in added_id order, streaming, so that its size costs no memory. */
public final class EntityScan {
  private EntityScan() {}

  /**
   * Hands every cell of the shard with an added_id above {@code after} to the consumer, in order.
   */
  public static void scan(
      Connection connection, Topology topology, int shard, long after, Consumer<LogRecord> consumer)
      throws SQLException {
    var sql =
        "SELECT "
            + CellReader.COLUMNS
            + " FROM "
            + Names.database(topology.instance(), shard)
            + ".entity WHERE added_id > ? ORDER BY added_id";
    try (var query =
        connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      // Connector/J's way of asking for row-by-row streaming.
      query.setFetchSize(Integer.MIN_VALUE);
      query.setLong(1, after);
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          consumer.accept(CellReader.cell(rows, shard));
        }
      }
    }
  }
}
