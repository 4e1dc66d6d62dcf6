package io.cellmesh.storage.index;

import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.cell.index.MisfitException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A query as SQL: names from the definition, values only as placeholders. */
final class IndexStatement {
  private record Bound(FieldType type, String canonical) {}

  private final IndexDefinition definition;
  private final List<IndexField> selected;
  private final List<Bound> values = new ArrayList<>();
  private final StringBuilder sql = new StringBuilder();
  private final String shardValue;

  /**
   * @param table the quoted name of the table on a shard, given the shard field's canonical text
   * @throws IndexQueryException if the query does not fit the definition
   */
  IndexStatement(IndexDefinition definition, IndexQuery query, Function<String, String> table) {
    this.definition = definition;
    this.selected =
        query.select().isEmpty()
            ? definition.fields()
            : query.select().stream().map(this::field).toList();
    var shardField = definition.shardField();
    this.shardValue = canonical(shardField, query.shardValue());
    values.add(new Bound(shardField.type(), shardValue));
    sql.append("SELECT row_key, ")
        .append(selected.stream().map(IndexStatement::name).collect(Collectors.joining(", ")))
        .append(" FROM ")
        .append(table.apply(shardValue))
        .append(" WHERE ")
        .append(name(shardField))
        .append(" = ?");
    query.conditions().forEach(this::condition);
    sql.append(" AND removed = FALSE ORDER BY ");
    query
        .order()
        .forEach(o -> sql.append(name(field(o.field()))).append(o.descending() ? " DESC, " : ", "));
    sql.append("row_key");
    query.limit().ifPresent(limit -> sql.append(" LIMIT ").append(limit));
  }

  String sql() {
    return sql.toString();
  }

  String shardValue() {
    return shardValue;
  }

  List<IndexField> selected() {
    return selected;
  }

  void bind(PreparedStatement statement) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      FieldColumn.bind(statement, i + 1, values.get(i).type(), values.get(i).canonical());
    }
  }

  private void condition(Condition condition) {
    var field = field(condition.field());
    if (field.equals(definition.shardField())) {
      throw new IndexQueryException(
          field.name() + ": the shard field is given once, by the value that it equals");
    }
    condition.values().forEach(v -> values.add(new Bound(field.type(), canonical(field, v))));
    var column = name(field);
    sql.append(" AND ")
        .append(
            switch (condition.operator()) {
              case NOT_EQUAL -> "NOT (" + column + " <=> ?)";
              case BETWEEN -> column + " BETWEEN ? AND ?";
              case IN ->
                  column
                      + " IN ("
                      + String.join(", ", Collections.nCopies(condition.values().size(), "?"))
                      + ')';
              default -> column + ' ' + condition.operator().text() + " ?";
            });
  }

  private IndexField field(String name) {
    return definition.fields().stream()
        .filter(f -> f.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IndexQueryException(
                    "%s: the index %s has no such field; it has %s"
                        .formatted(
                            name,
                            definition.name(),
                            definition.fields().stream().map(IndexField::name).toList())));
  }

  private static String canonical(IndexField field, String text) {
    try {
      return field.type().parse(field.name(), text);
    } catch (MisfitException e) {
      throw new IndexQueryException(e.getMessage());
    }
  }

  private static String name(IndexField field) {
    return IndexTable.quoted(field.name());
  }
}
