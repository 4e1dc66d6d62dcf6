package io.cellmesh.cli.commands;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.index.IndexSite;
import io.cellmesh.operations.index.PassPublication;
import io.cellmesh.operations.status.IndexLag;
import io.cellmesh.storage.index.IndexSkew;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code index status}. */
@Command(
    name = "status",
    header = "Show every version of every index, which serves, and how far each is behind.",
    description =
        "Behind are the records that index-streams and the sink connector have not yet committed. "
            + "Warns of a shard field whose entries crowd on few shards, with the figures, and of cells "
            + "that did not fit.")
final class IndexStatusCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexTarget target;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  IndexStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    var rows = new ArrayList<Map<String, Object>>();
    var warnings = new ArrayList<String>();
    try (var open = target.open()) {
      for (var site : open.sites()) {
        try (var lag = new IndexLag(site.dc())) {
          var versions = site.catalog().look();
          for (var version : versions) {
            rows.add(row(site, version, lag));
            if (version.isComplete()) {
              skew(site, version.definition())
                  .ifPresent(w -> warnings.add(site.dc().name() + ": warning: " + w));
            }
          }
          for (var pass : PassPublication.of(site).missing()) {
            warnings.add(
                "%s: warning: %s lacks pass %s, so index-streams forgets it when it is started again; `cellmesh index publish` writes it there"
                    .formatted(site.dc().name(), site.dc().topology().topics().passes(), pass));
          }
          if (!versions.isEmpty()) {
            unindexed(site).ifPresent(w -> warnings.add(site.dc().name() + ": warning: " + w));
          }
        }
      }
    }
    if (json) {
      console.json(Map.of("indexes", rows, "warnings", warnings));
    } else {
      print(rows);
      warnings.forEach(console::line);
    }
    return ExitCodes.OK;
  }

  private void print(List<Map<String, Object>> rows) {
    if (rows.isEmpty()) {
      console.line("there is no index; `cellmesh index create FILE` builds one");
      return;
    }
    var table = Table.of("where", "index", "version>", "state", "pass", "to read>", "to write>");
    rows.forEach(row -> table.row(row.values().stream().map(v -> v == null ? "?" : v).toArray()));
    console.table(table);
  }

  private static Map<String, Object> row(IndexSite site, IndexVersion version, IndexLag lag)
      throws InterruptedException {
    var row = new LinkedHashMap<String, Object>();
    row.put("datacenter", site.dc().name());
    row.put("index", version.name());
    row.put("version", version.version());
    row.put("state", version.state().text());
    row.put("pass", version.pass());
    row.put("to_read", lag.toRead(version.pass()).orElse(null));
    row.put("to_write", lag.toWrite(version).orElse(null));
    return row;
  }

  private static Optional<String> unindexed(IndexSite site) {
    try (var client = Consumers.open(site.dc().kafka())) {
      var topic = TopicOffsets.of(client, site.dc().topology().topics().unindexed());
      return topic.retained() == 0
          ? Optional.empty()
          : Optional.of(
              "what did not fit was reported %s times; `cellmesh index unindexed` tells which"
                  .formatted(Texts.count(topic.retained())));
    }
  }

  /** What is to be said about the distribution of the entries, if anything. */
  static Optional<String> skew(IndexSite site, IndexDefinition definition) throws SQLException {
    return IndexSkew.read(definition, site.dc().topology(), site.pools(), false, 1).warning();
  }
}
