package io.cellmesh.storage;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Puts cells back that were first written in this data centre and that others still have, under the
 * ids that they had. Only before anybody else writes: a cell that is put back behind newer ones
 * would stand out of its order in the log.
 */
public final class ReturnedCells {
  private ReturnedCells() {}

  /**
   * Puts cells of one shard back in one transaction; those that are there already change nothing.
   *
   * @param connection to the master of the shard's cluster
   * @param cells as another data centre has them: their origin_ids become their added_ids
   */
  public static void put(Connection connection, Topology topology, int shard, List<LogRecord> cells)
      throws SQLException {
    var sql =
        """
        INSERT INTO %s.entity
          (added_id, row_key, column_name, ref_key, body, origin, origin_id, created_at)
          VALUES (?, ?, ?, ?, ?, ?, NULL, ?) ON DUPLICATE KEY UPDATE ref_key = entity.ref_key
        """
            .formatted(Names.database(topology.instance(), shard));
    connection.setAutoCommit(false);
    try (var insert = connection.prepareStatement(sql)) {
      for (var cell : cells) {
        var key = cell.cell().key();
        insert.setLong(1, cell.cell().origin().orElseThrow().id());
        insert.setBytes(2, UuidBytes.of(key.rowKey()));
        insert.setString(3, key.columnName());
        insert.setLong(4, key.refKey());
        insert.setBytes(5, cell.cell().body().stored());
        insert.setString(6, topology.datacenter());
        insert.setObject(7, LocalDateTime.ofInstant(cell.createdAt(), ZoneOffset.UTC));
        insert.executeUpdate();
      }
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
