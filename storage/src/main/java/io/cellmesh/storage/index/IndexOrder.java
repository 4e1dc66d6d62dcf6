package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order of a query's entries: fields with their directions, then row_key in the direction of
 * the last of them, so that MySQL can read an index forwards or backwards. Entries without a value
 * stand below all that have one, as in MySQL. No two entries under one value of the shard field
 * stand at the same place; under several values a row may while it moves, and then the value
 * decides.
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
   *
   * @param shardValue that the entries are under
   */
  void appendBehind(IndexCursor place, String shardValue, BoundSql sql) {
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
    sql.add(rowKeyDescending() ? "row_key <" : "row_key >");
    sql.add(place.isBefore(shardValue) ? "= " : " ").value(place.rowKey()).add(")");
  }

  /**
   * The same order of entries that were read, as MySQL has it.
   *
   * @param shardField whose value decides between entries at the same place
   */
  Comparator<IndexHit> comparator(IndexField shardField) {
    Comparator<IndexHit> all = (one, other) -> 0;
    for (var key : keys) {
      all = all.thenComparing(directed(byValue(key.field()), key.descending()));
    }
    // UUID's own order takes the bytes for signed ones.
    var byRow = Comparator.comparing((IndexHit hit) -> hit.rowKey().toString());
    return all.thenComparing(directed(byRow, rowKeyDescending()))
        .thenComparing(hit -> hit.fields().get(shardField.name()));
  }

  private static Comparator<IndexHit> byValue(IndexField field) {
    Comparator<String> values = (one, other) -> FieldColumn.compare(field.type(), one, other);
    return Comparator.comparing(
        hit -> hit.fields().get(field.name()), Comparator.nullsFirst(values));
  }

  private static Comparator<IndexHit> directed(Comparator<IndexHit> order, boolean descending) {
    return descending ? order.reversed() : order;
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
