package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexField;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of a query's entries: fields with their directions, then row_key in the direction of
 * the last of them, so that MySQL can read an index forwards or backwards. Entries without a value
 * stand below all that have one, as in MySQL. No two entries of a query stand at the same place.
 */
record IndexOrder(List<Key> keys) {

  /** A field to order by. */
  record Key(IndexField field, boolean descending) {}

  IndexOrder {
    keys = List.copyOf(keys);
  }

  void appendTo(BoundSql sql) {
    for (var key : keys) {
      sql.name(key.field()).add(key.descending() ? " DESC, " : ", ");
    }
    sql.add(rowKeyDescending() ? "row_key DESC" : "row_key");
  }

  /**
   * Appends the condition that an entry stands behind a place: it is behind in the first key, or
   * there at the same value and behind in the next one, and so on.
   */
  void appendBehind(IndexCursor place, BoundSql sql) {
    var separator = "(";
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).descending() && place.values().get(i) == null) {
        continue;
      }
      sql.add(separator);
      appendSame(place, i, sql);
      appendBehind(keys.get(i), place.values().get(i), sql);
      separator = " OR ";
    }
    sql.add(separator);
    appendSame(place, keys.size(), sql);
    sql.add(rowKeyDescending() ? "row_key < " : "row_key > ").value(place.rowKey()).add(")");
  }

  /** What tells two orders apart; a field's type counts, since it decides how values compare. */
  List<String> describe() {
    var texts = new ArrayList<String>();
    for (var key : keys) {
      texts.add(key.field().name());
      texts.add(key.field().type().yamlName());
      texts.add(key.descending() ? "desc" : "asc");
    }
    return texts;
  }

  private boolean rowKeyDescending() {
    return !keys.isEmpty() && keys.get(keys.size() - 1).descending();
  }

  private void appendSame(IndexCursor place, int keyCount, BoundSql sql) {
    for (int i = 0; i < keyCount; i++) {
      var field = keys.get(i).field();
      var value = place.values().get(i);
      sql.name(field);
      if (value == null) {
        sql.add(" IS NULL AND ");
      } else {
        sql.add(" = ").value(field.type(), value).add(" AND ");
      }
    }
  }

  /** Behind null in descending order there is nothing, which the caller knows. */
  private static void appendBehind(Key key, String value, BoundSql sql) {
    var field = key.field();
    if (value == null) {
      sql.name(field).add(" IS NOT NULL");
    } else if (key.descending()) {
      sql.add("(").name(field).add(" < ").value(field.type(), value);
      sql.add(" OR ").name(field).add(" IS NULL)");
    } else {
      sql.name(field).add(" > ").value(field.type(), value);
    }
  }
}
