package io.cellmesh.storage.index;

import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A query as SQL, one statement for each value of the shard field: names from the definition,
 * values only as placeholders.
 */
final class IndexStatement {
  private final IndexDefinition definition;
  private final IndexFields fields;
  private final List<String> shardValues;
  private final List<IndexField> selected;
  private final IndexOrder order;
  private final List<IndexField> read;
  private final List<Condition> conditions;
  private final long digest;
  private final OptionalInt limit;
  private final Optional<IndexCursor> place;

  /**
   * @throws IndexQueryException if the query does not fit the definition
   */
  IndexStatement(IndexDefinition definition, IndexQuery query) {
    this.definition = definition;
    this.fields = new IndexFields(definition);
    this.shardValues =
        query.shardValues().stream()
            .map(value -> IndexFields.canonical(definition.shardField(), value))
            .distinct()
            .sorted()
            .toList();
    this.selected =
        query.select().isEmpty()
            ? definition.fields()
            : query.select().stream().map(fields::named).toList();
    this.order =
        new IndexOrder(
            query.order().stream()
                .map(o -> new IndexOrder.Key(fields.named(o.field()), o.descending()))
                .toList());
    var wanted = new LinkedHashSet<>(selected);
    order.keys().forEach(key -> wanted.add(key.field()));
    if (several()) {
      wanted.add(definition.shardField());
    }
    this.read = List.copyOf(wanted);
    this.conditions = query.conditions().stream().map(this::canonical).toList();
    this.digest = IndexCursor.digest(describe());
    this.limit = query.limit();
    this.place = query.after().map(text -> IndexCursor.parse(text, digest, order, several()));
  }

  /** Their canonical texts in their order, each once. */
  List<String> shardValues() {
    return shardValues;
  }

  /** The entries of all values in the query's order, up to one more than its limit. */
  List<IndexHit> merged(List<IndexHit> entries) {
    if (!several()) {
      return entries;
    }
    var sorted = entries.stream().sorted(order.comparator(definition.shardField()));
    return (limit.isPresent() ? sorted.limit(limit.getAsInt() + 1L) : sorted).toList();
  }

  private boolean several() {
    return shardValues.size() > 1;
  }

  /** The entry where the result set stands, with the fields asked for and those ordered by. */
  IndexHit read(ResultSet row) throws SQLException {
    var values = new LinkedHashMap<String, String>();
    for (int i = 0; i < read.size(); i++) {
      var field = read.get(i);
      values.put(field.name(), FieldColumn.canonical(row, i + 2, field));
    }
    return new IndexHit(UuidBytes.read(row.getBytes(1)), values, List.of());
  }

  /** What was asked for of an entry that was read. */
  IndexHit selected(IndexHit entry) {
    if (read.equals(selected)) {
      return entry;
    }
    var values = new LinkedHashMap<String, String>();
    selected.forEach(field -> values.put(field.name(), entry.fields().get(field.name())));
    return new IndexHit(entry.rowKey(), values, entry.cells());
  }

  /** The cursor of an entry that was read: what stands behind it is the next page. */
  String cursor(IndexHit entry) {
    var values =
        order.keys().stream()
            .map(key -> entry.fields().get(key.field().name()))
            .collect(Collectors.toCollection(ArrayList::new));
    var shardValue = Optional.of(entry.fields()).filter(some -> several()).map(this::shardValue);
    return new IndexCursor(values, entry.rowKey(), shardValue).text(digest);
  }

  private String shardValue(Map<String, String> ofEntry) {
    return ofEntry.get(definition.shardField().name());
  }

  /**
   * The statement for one of the values.
   *
   * @param table the quoted name of the table on the value's shard
   */
  BoundSql sql(String shardValue, String table) {
    var sql = new BoundSql();
    sql.add("SELECT row_key");
    read.forEach(field -> sql.add(", ").name(field));
    sql.add(" FROM ").add(table).add(" WHERE ").name(definition.shardField()).add(" = ");
    sql.value(definition.shardField().type(), shardValue);
    conditions.forEach(condition -> append(condition, sql));
    sql.add(" AND removed = FALSE");
    place.ifPresent(there -> order.appendBehind(there, shardValue, sql.add(" AND ")));
    order.appendTo(sql.add(" ORDER BY "));
    if (limit.isPresent()) {
      // One more tells whether there is another page.
      sql.add(" LIMIT ").value(FieldType.INTEGER, Long.toString(limit.getAsInt() + 1L));
    }
    return sql;
  }

  private void append(Condition condition, BoundSql sql) {
    var field = fields.named(condition.field());
    var values = condition.values();
    sql.add(" AND ");
    switch (condition.operator()) {
      case NOT_EQUAL ->
          sql.add("NOT (").name(field).add(" <=> ").value(field.type(), values.get(0)).add(")");
      case BETWEEN ->
          sql.name(field)
              .add(" BETWEEN ")
              .value(field.type(), values.get(0))
              .add(" AND ")
              .value(field.type(), values.get(1));
      case IN -> {
        var separator = " IN (";
        sql.name(field);
        for (var value : values) {
          sql.add(separator).value(field.type(), value);
          separator = ", ";
        }
        sql.add(")");
      }
      default ->
          sql.name(field)
              .add(" " + condition.operator().text() + " ")
              .value(field.type(), values.get(0));
    }
  }

  private Condition canonical(Condition condition) {
    var field = fields.named(condition.field());
    if (field.equals(definition.shardField())) {
      throw new IndexQueryException(
          field.name() + ": the shard field is given once, by the value that it equals");
    }
    return new Condition(
        field.name(),
        condition.operator(),
        condition.values().stream().map(value -> IndexFields.canonical(field, value)).toList());
  }

  /**
   * What a cursor holds to. Not the version: all versions have the same entries, so paging goes on
   * when another one is switched to.
   */
  private List<String> describe() {
    var texts = new ArrayList<String>();
    texts.add(definition.datastore());
    texts.add(definition.name());
    texts.add(definition.shardField().name());
    if (several()) {
      texts.add(Integer.toString(shardValues.size()));
    }
    texts.addAll(shardValues);
    conditions.stream().map(Condition::toString).sorted().forEach(texts::add);
    texts.addAll(order.describe());
    return texts;
  }
}
