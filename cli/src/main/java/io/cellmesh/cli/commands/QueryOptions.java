package io.cellmesh.cli.commands;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.index.Condition;
import io.cellmesh.storage.index.Condition.Operator;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexQueryException;
import io.cellmesh.storage.index.RowColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The options that say what an index is asked. */
final class QueryOptions {
  @Option(
      names = "--where",
      required = true,
      paramLabel = "CONDITION",
      description = "A condition; may be given several times, and all must hold.")
  private List<String> where;

  @Option(
      names = "--select",
      split = ",",
      paramLabel = "FIELD",
      description = "Fields to show (default: all).")
  private List<String> select = List.of();

  @Option(
      names = "--order",
      split = ",",
      paramLabel = "FIELD[:desc]",
      description =
          "Fields to order by; those without a value come first, with :desc last "
              + "(default: row_key).")
  private List<String> order = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Most rows to show (default: 100).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "Go on behind the page that showed this cursor, of the same query.")
  private Optional<String> after = Optional.empty();

  @Option(
      names = "--columns",
      paramLabel = "latest|all|NAME,…",
      description =
          "Show the rows' cells, too: the latest of each column, all, or the latest of these "
              + "columns. They are read after the index and may be newer.")
  private Optional<String> columns = Optional.empty();

  /** Whether an earlier page is gone on from. */
  boolean goesOn() {
    return after.isPresent();
  }

  /**
   * @throws IndexQueryException if an option can't be read, or the shard field is not given
   */
  IndexQuery query(IndexDefinition definition) {
    var conditions = new ArrayList<Condition>();
    String shardValue = null;
    for (var text : where) {
      var condition = Condition.parse(text);
      if (shardValue == null
          && condition.field().equals(definition.shardField().name())
          && condition.operator() == Operator.EQUAL) {
        shardValue = condition.values().get(0);
      } else {
        conditions.add(condition);
      }
    }
    if (shardValue == null) {
      throw new IndexQueryException(
          "%s: this is the shard field of %s, and a query must say what it equals"
              .formatted(definition.shardField().name(), definition.name()));
    }
    return new IndexQuery(
        List.of(shardValue),
        conditions,
        select,
        order.stream().map(QueryOptions::order).toList(),
        OptionalInt.of(limit),
        after,
        columns.map(QueryOptions::columns));
  }

  private static IndexQuery.Order order(String text) {
    var parts = text.split(":", 2);
    var direction = parts.length == 1 ? "asc" : parts[1];
    if (!direction.equals("asc") && !direction.equals("desc")) {
      throw new IndexQueryException("--order %s: FIELD, or FIELD:desc".formatted(text));
    }
    return new IndexQuery.Order(parts[0], direction.equals("desc"));
  }

  private static RowColumns columns(String text) {
    return switch (text) {
      case "latest" -> RowColumns.LATEST;
      case "all" -> RowColumns.ALL;
      default -> RowColumns.LATEST.named(text.split(",", -1));
    };
  }
}
