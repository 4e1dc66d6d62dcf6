package io.cellmesh.cli.commands;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.index.UnindexedReport;
import io.cellmesh.operations.index.UnindexedReport.Reports;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code index unindexed}. */
@Command(
    name = "unindexed",
    header = "Show which cells did not fit an index, and why.",
    description = {
      "A cell with a field that is not of its type stays out of the index, and its row keeps the "
          + "entry that the cells before it make. Shown are the rules that were broken, how often that "
          + "was reported, and the newest cell of each; `cellmesh get` shows it.",
      "",
      "A cell is reported for each version of an index that it does not fit, and again when "
          + "index-streams reads it again. To take it in, write the column again with a higher "
          + "ref_key, or build a version with another type. What an index sink refused because it is "
          + "no entry stands there, too, without an index."
    })
final class IndexUnindexedCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private Target target;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  IndexUnindexedCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var rows = new ArrayList<Map<String, Object>>();
    for (var dc : target.open().datacenters()) {
      for (var reports : read(dc)) {
        rows.add(row(dc.name(), reports));
      }
    }
    if (json) {
      console.json(Map.of("unindexed", rows));
    } else {
      print(rows);
    }
    return ExitCodes.OK;
  }

  private List<Reports> read(DataCenter dc) {
    try (var client = Consumers.open(dc.kafka())) {
      var topic = TopicOffsets.of(client, dc.topology().topics().unindexed());
      try (var bar = console.progress(dc.name() + ": reports", topic.retained())) {
        return UnindexedReport.read(client, topic, bar::set);
      }
    }
  }

  private void print(List<Map<String, Object>> rows) {
    if (rows.isEmpty()) {
      console.line("nothing is unindexed");
      return;
    }
    var table = Table.of("where", "index", "field", "rule", "reports>", "newest", "log", "at");
    rows.forEach(row -> table.row(row.values().toArray()));
    console.table(table);
  }

  private static Map<String, Object> row(String datacenter, Reports reports) {
    var row = new LinkedHashMap<String, Object>();
    row.put("datacenter", datacenter);
    row.put("index", reports.rule().index());
    row.put("field", reports.rule().field());
    row.put("rule", reports.rule().text());
    row.put("reports", reports.count());
    row.put("newest", reports.newest().map(CellKey::toString).orElse("no cell"));
    row.put("log", reports.place());
    row.put("at", Envelope.timestamp(reports.at()));
    return row;
  }
}
