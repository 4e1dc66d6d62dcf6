package io.cellmesh.storage.index;

import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexField;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** SQL that grows together with the values of its placeholders. */
final class BoundSql {
  private record Bound(FieldType type, String canonical) {}

  private final StringBuilder text = new StringBuilder();
  private final List<Bound> values = new ArrayList<>();

  /** Appends what is no value. */
  BoundSql add(String sql) {
    text.append(sql);
    return this;
  }

  /** Appends other SQL with its values. */
  BoundSql add(BoundSql other) {
    values.addAll(other.values);
    return add(other.toString());
  }

  /** Appends the name of a field. */
  BoundSql name(IndexField field) {
    return add(IndexTable.quoted(field.name()));
  }

  /** Appends a placeholder for a value. */
  BoundSql value(FieldType type, String canonical) {
    values.add(new Bound(type, canonical));
    return add("?");
  }

  BoundSql value(UUID rowKey) {
    return value(FieldType.UUID, rowKey.toString());
  }

  void bind(PreparedStatement statement) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      FieldColumn.bind(statement, i + 1, values.get(i).type(), values.get(i).canonical());
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
