package io.cellmesh.cli.commands;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cli.outcome.CliException;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Table;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.Condition;
import io.cellmesh.storage.index.Condition.Operator;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexQueryException;
import io.cellmesh.storage.index.IndexReader;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code query}: an index. */
@Command(
    name = "query",
    header = "Find rows through an index.",
    description =
        "Every query gives the shard field by =, and so asks one shard. Other conditions: "
            + "field=value, !=, <, <=, >, >=, \"field in a,b\", \"field between a and b\". "
            + "Ends with 1 if nothing is found.")
final class QueryCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;
  @Mixin private ReadFrom from;

  @Parameters(index = "0", paramLabel = "INDEX", description = "The index's name.")
  private String index;

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
      description = "Fields to order by.")
  private List<String> order = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Most rows to show (default: 100).")
  private int limit;

  @Option(names = "--explain", description = "Show where the query goes, and MySQL's plan.")
  private boolean explain;

  @Option(names = "--json", description = "Print one JSON object a row.")
  private boolean json;

  QueryCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException {
    var deployment = target.open();
    var topology = target.of(deployment).topology();
    var definition = deployment.index(index).definition();
    try (var pools = new Pools(deployment.credentials())) {
      var reader = new IndexReader(definition, topology, pools, from.minion());
      var query = query(definition);
      if (explain) {
        var plan = reader.explain(query);
        console.line("shard %d at %s".formatted(plan.shard(), plan.server()));
        console.line(plan.sql());
        console.line(plan.mysql());
        return ExitCodes.OK;
      }
      var hits = reader.query(query);
      show(definition, hits);
      return hits.isEmpty() ? ExitCodes.FAILED : ExitCodes.OK;
    } catch (IndexQueryException e) {
      throw CliException.usage(e.getMessage());
    }
  }

  private IndexQuery query(IndexDefinition definition) {
    var shardField = definition.shardField().name();
    String shardValue = null;
    var conditions = new ArrayList<Condition>();
    for (var text : where) {
      var condition = Condition.parse(text);
      if (shardValue == null
          && condition.field().equals(shardField)
          && condition.operator() == Operator.EQUAL) {
        shardValue = condition.values().get(0);
      } else {
        conditions.add(condition);
      }
    }
    if (shardValue == null) {
      throw new IndexQueryException(
          "%s: this is the shard field of %s, and a query must say what it equals"
              .formatted(shardField, definition.name()));
    }
    var orders =
        order.stream()
            .map(
                o -> {
                  var parts = o.split(":", 2);
                  boolean descending =
                      parts.length == 2 && parts[1].toLowerCase(Locale.ROOT).equals("desc");
                  return new IndexQuery.Order(parts[0], descending);
                })
            .toList();
    return new IndexQuery(
        shardValue,
        conditions,
        select,
        orders,
        OptionalInt.of(limit),
        Optional.empty(),
        Optional.empty());
  }

  private void show(IndexDefinition definition, List<IndexHit> hits) {
    if (json) {
      hits.forEach(hit -> console.line(document(hit)));
      return;
    }
    if (hits.isEmpty()) {
      console.line("nothing found");
      return;
    }
    console.table(table(definition, hits));
    console.line(Texts.count(hits.size(), "row") + (hits.size() == limit ? " (--limit)" : ""));
  }

  /** The hits with their fields; the shard field, the same in all, is left out of a long table. */
  static Table table(IndexDefinition definition, List<IndexHit> hits) {
    var fields = new ArrayList<>(hits.get(0).fields().keySet());
    fields.remove(definition.shardField().name());
    var headers = new ArrayList<String>();
    headers.add("row_key");
    headers.addAll(fields);
    var table = Table.of(headers.toArray(String[]::new));
    for (var hit : hits) {
      var row = new ArrayList<Object>();
      row.add(hit.rowKey());
      fields.forEach(f -> row.add(hit.fields().get(f) == null ? "" : hit.fields().get(f)));
      table.row(row.toArray());
    }
    return table;
  }

  private static String document(IndexHit hit) {
    var node = JsonNodeFactory.instance.objectNode().put("row_key", hit.rowKey().toString());
    hit.fields().forEach(node::put);
    return node.toString();
  }
}
