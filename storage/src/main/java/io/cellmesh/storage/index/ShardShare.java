package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one shard has of an index, without removals.
 *
 * @param values how many values of the shard field its entries have
 * @param frequent the most frequent of them, the first first
 */
record ShardShare(int shard, long entries, long values, List<IndexSkew.Value> frequent) {
  ShardShare {
    frequent = List.copyOf(frequent);
  }

  /** Counts in MySQL, from an index alone, so that no more than {@code top} values are sent. */
  static ShardShare read(
      Connection connection, IndexTable table, IndexDefinition definition, int shard, int top)
      throws SQLException {
    var field = definition.shardField();
    var sql =
        """
        SELECT value, entries, SUM(entries) OVER (), COUNT(*) OVER () FROM (
          SELECT %1$s, COUNT(*) FROM %2$s WHERE removed = FALSE GROUP BY %1$s
        ) counted (value, entries)
        ORDER BY entries DESC, value LIMIT ?"""
            .formatted(IndexTable.quoted(field.name()), table.name(shard));
    try (var query = connection.prepareStatement(sql)) {
      query.setInt(1, top);
      try (var rows = query.executeQuery()) {
        long entries = 0;
        long values = 0;
        var frequent = new ArrayList<IndexSkew.Value>();
        while (rows.next()) {
          var value = FieldColumn.canonical(rows, 1, field);
          frequent.add(new IndexSkew.Value(value, rows.getLong(2)));
          entries = rows.getLong(3);
          values = rows.getLong(4);
        }
        return new ShardShare(shard, entries, values, frequent);
      }
    }
  }
}
