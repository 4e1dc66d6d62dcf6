package io.cellmesh.cli.commands;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexPage;
import io.cellmesh.storage.index.IndexQueryException;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.storage.index.Indexes;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
            + "Ends with 1 if nothing is found; an empty page behind --after is no failure.",
    footer = {
      "",
      "Examples: the last trips of a driver with what they hold, and those before them:",
      "  cellmesh query driver_partner_index --where driver_partner_uuid=UUID \\",
      "    --where \"trip_created_at>=2026-01-31T00:00:00Z\" \\",
      "    --order trip_created_at:desc --limit 20 --columns BASE",
      "  cellmesh query … --after CURSOR"
    })
final class QueryCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;
  @Mixin private ReadFrom from;
  @Mixin private QueryOptions options;

  @Parameters(index = "0", paramLabel = "INDEX", description = "The index's name.")
  private String index;

  @Option(
      names = "--explain",
      description = "Show where the query goes, and MySQL's plan, instead of asking it.")
  private boolean explain;

  @Option(
      names = "--json",
      description = "Print one JSON object a row, and {\"next\":CURSOR} last if there are more.")
  private boolean json;

  QueryCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException {
    try (var servers = target.readers()) {
      return new Indexes(servers.topology(), servers.pools(), from.minion())
          .ask(index, this::answer);
    } catch (IndexQueryException e) {
      throw OperationException.invalid(e.getMessage());
    }
  }

  /** Nothing is printed before all of it is there: it may be asked of two versions. */
  private int answer(IndexReader reader) throws SQLException {
    var definition = reader.definition();
    var query = options.query(definition);
    if (explain) {
      show(reader.explain(query));
      return ExitCodes.OK;
    }
    var page = reader.page(query);
    if (json) {
      page.hits().forEach(hit -> console.line(HitText.json(definition, hit)));
      page.next().map(HitText::json).ifPresent(console::line);
    } else {
      show(definition, page);
    }
    return page.hits().isEmpty() && !options.goesOn() ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private void show(IndexReader.Plan plan) {
    if (json) {
      console.line(HitText.json(plan));
      return;
    }
    console.line("shard %d at %s".formatted(plan.shard(), plan.server()));
    console.line(plan.sql());
    console.line(plan.mysql());
  }

  private void show(IndexDefinition definition, IndexPage page) {
    if (page.hits().isEmpty()) {
      console.line("nothing found");
      return;
    }
    console.table(table(definition, page.hits()));
    var text = new CellText(console);
    for (var hit : page.hits()) {
      if (!hit.cells().isEmpty()) {
        console.line(console.style(Style.BOLD, hit.rowKey().toString()));
      }
      hit.cells().forEach(cell -> text.lines(cell).forEach(line -> console.line("  " + line)));
    }
    console.line(Texts.count(page.hits().size(), "row"));
    page.next().ifPresent(next -> console.line("more: --after " + next));
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
}
