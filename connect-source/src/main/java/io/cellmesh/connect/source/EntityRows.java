package io.cellmesh.connect.source;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.UuidBytes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** The cells of a shard in the order of added_id, a row at a time, however large the table is. */
final class EntityRows implements AutoCloseable {
  private final int shard;
  private final PreparedStatement statement;
  private final ResultSet rows;

  private EntityRows(int shard, PreparedStatement statement, ResultSet rows) {
    this.shard = shard;
    this.statement = statement;
    this.rows = rows;
  }

  /**
   * Up to the last row that is there now.
   *
   * @param behind the added_id before the first
   */
  static EntityRows open(Connection connection, String database, int shard, long behind)
      throws SQLException {
    var statement =
        connection.prepareStatement(
            "SELECT added_id, row_key, column_name, ref_key, body, origin, origin_id, created_at"
                + " FROM `%s`.%s WHERE added_id > ? ORDER BY added_id"
                    .formatted(database, EntitySchema.TABLE));
    try {
      // How Connector/J is told not to hold the whole result in memory.
      statement.setFetchSize(Integer.MIN_VALUE);
      statement.setLong(1, behind);
      return new EntityRows(shard, statement, statement.executeQuery());
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  boolean next() throws SQLException {
    return rows.next();
  }

  /** The row's cell. Its body is decoded when it is written. */
  LogRecord cell() throws SQLException {
    long addedId = rows.getLong(1);
    var key = key();
    long originId = rows.getLong(7);
    if (rows.wasNull()) {
      originId = addedId;
    }
    var origin = new Origin(rows.getString(6), originId);
    var body = Body.ofStored(rows.getBytes(5));
    var created = rows.getObject(8, LocalDateTime.class).toInstant(ZoneOffset.UTC);
    return new LogRecord(new Cell(key, body, Optional.of(origin)), shard, addedId, created);
  }

  @Override
  public void close() throws SQLException {
    rows.close();
    statement.close();
  }

  private CellKey key() throws SQLException {
    return new CellKey(UuidBytes.read(rows.getBytes(2)), rows.getString(3), rows.getLong(4));
  }
}
