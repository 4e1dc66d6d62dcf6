package io.cellmesh.storage.index;

import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexField;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Reads a whole index table of a shard, streaming, so that its size costs no memory. */
public final class IndexScan {
  private final IndexTable table;
  private final List<IndexField> fields;
  private final int columns;

  public IndexScan(String instance, IndexDefinition definition) {
    this.table = new IndexTable(instance, definition);
    this.fields = definition.fields();
    this.columns = definition.columns().size();
  }

  /** Hands every entry of the shard to the consumer, removals among them, in any order. */
  public void scan(Connection connection, int shard, Consumer<IndexEntry> consumer)
      throws SQLException {
    try (var query =
        connection.prepareStatement(
            select(shard), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      // Connector/J's way of asking for row-by-row streaming.
      query.setFetchSize(Integer.MIN_VALUE);
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          consumer.accept(entry(rows));
        }
      }
    }
  }

  /** The entry of a row under a value of the shard field, which may be a removal. */
  public Optional<IndexEntry> find(Connection connection, int shard, String shardValue, UUID rowKey)
      throws SQLException {
    var shardField = fields.get(0);
    var sql =
        "%s WHERE %s = ? AND row_key = ?"
            .formatted(select(shard), IndexTable.quoted(shardField.name()));
    try (var query = connection.prepareStatement(sql)) {
      FieldColumn.bind(query, 1, shardField.type(), shardValue);
      query.setBytes(2, UuidBytes.of(rowKey));
      try (var rows = query.executeQuery()) {
        return rows.next() ? Optional.of(entry(rows)) : Optional.empty();
      }
    }
  }

  private String select(int shard) {
    var sql = new StringBuilder("SELECT row_key, removed");
    fields.forEach(f -> sql.append(", ").append(IndexTable.quoted(f.name())));
    for (int i = 1; i <= columns; i++) {
      sql.append(", version_").append(i);
    }
    return sql.append(" FROM ").append(table.name(shard)).toString();
  }

  private IndexEntry entry(ResultSet row) throws SQLException {
    int at = 3;
    var values = new ArrayList<String>();
    for (var field : fields) {
      values.add(FieldColumn.canonical(row, at++, field));
    }
    var versions = new ArrayList<Long>();
    for (int i = 0; i < columns; i++) {
      long version = row.getLong(at++);
      versions.add(row.wasNull() ? null : version);
    }
    return new IndexEntry(UuidBytes.read(row.getBytes(1)), versions, values, row.getBoolean(2));
  }
}
