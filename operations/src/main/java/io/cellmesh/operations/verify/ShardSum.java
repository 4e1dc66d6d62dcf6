package io.cellmesh.operations.verify;

import io.cellmesh.cell.Names;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * How many rows an entity table has, and a checksum over all their fields, both as the server
 * computes them.
 */
record ShardSum(long rows, String checksum) {
  static final ShardSum EMPTY = new ShardSum(0, "0");

  /** Two parts of a SHA-256 a row, added up: XOR would let equal pairs cancel out. */
  private static final String QUERY =
      """
      SELECT COUNT(*), COALESCE(CONCAT(SUM(CAST(CONV(LEFT(h, 12), 16, 10) AS UNSIGNED)), '/',
                                       SUM(CAST(CONV(RIGHT(h, 12), 16, 10) AS UNSIGNED))), '0')
      FROM (SELECT SHA2(CONCAT_WS('/', added_id, HEX(row_key), column_name, ref_key, SHA2(body, 256),
                                 origin, COALESCE(origin_id, '-'), created_at), 256) AS h
            FROM %s.entity) AS hashes""";

  static ShardSum of(Connection connection, String instance, int shard) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(QUERY.formatted(Names.database(instance, shard)))) {
      rows.next();
      return new ShardSum(rows.getLong(1), rows.getString(2));
    }
  }
}
