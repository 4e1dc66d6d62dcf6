package io.cellmesh.stack.demo;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Printable;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.operations.status.WorkerStatus;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import io.cellmesh.terminal.VerificationReport;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogTail;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;

/** What the demo shows once everything has been loaded. */
public final class DemoReport {
  private static final int BAR_COLUMNS = 64;
  private static final int SHOWN_HITS = 3;
  private static final int SHOWN_RECORDS = 3;

  private final Console console;
  private final BiFunction<IndexDefinition, List<IndexHit>, Table> hits;
  private final Deployment deployment;
  private final DemoFigures figures;
  private final DataCenter home;

  /**
   * @param hits makes a table of what an index answers
   */
  public DemoReport(
      Console console,
      BiFunction<IndexDefinition, List<IndexHit>, Table> hits,
      Deployment deployment,
      DemoFigures figures) {
    this.console = console;
    this.hits = hits;
    this.deployment = deployment;
    this.figures = figures;
    this.home = deployment.datacenters().get(0);
  }

  /**
   * Prints it.
   *
   * @param kept whether the stack is left running
   */
  public void print(boolean kept, StateDirectory directory)
      throws SQLException, IOException, InterruptedException {
    try (var pools = new Pools(deployment.operator())) {
      shards(pools);
      var newest = newest();
      if (!newest.isEmpty()) {
        var row = newest.get(newest.size() - 1).cell().key().rowKey();
        trip(row, pools);
        overHttp(newest.get(newest.size() - 1).cell().key());
        for (var index : Probes.serving(home, pools)) {
          index(index, row, pools);
        }
        log(newest.get(newest.size() - 1).shard());
      }
    }
    hops();
    verification();
    figures();
    next(kept, directory);
  }

  private void shards(Pools pools) throws SQLException {
    console.heading("Cells in each shard");
    for (var dc : deployment.datacenters()) {
      var counts = EntityCounts.byShard(dc.topology(), pools);
      var statistics = counts.values().stream().mapToLong(Long::longValue).summaryStatistics();
      console.line(
          "  %s %s %s cells, %d to %d a shard"
              .formatted(
                  dc.name(),
                  console.style(Style.CYAN, ShardBars.of(counts, BAR_COLUMNS)),
                  Texts.count(statistics.getSum()),
                  statistics.getMin(),
                  statistics.getMax()));
    }
  }

  /** The newest cells; of the rarest column that a made-up trip has, if there are any. */
  private List<LogRecord> newest() {
    try (var client = Consumers.open(home.kafka())) {
      var adjusted =
          newest(client, new LogTail.Filter(Optional.of("FARE_ADJUSTMENT"), Optional.empty()));
      return adjusted.isEmpty() ? newest(client, LogTail.Filter.ALL) : adjusted;
    }
  }

  private List<LogRecord> newest(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client, LogTail.Filter filter) {
    try (var log = new LogTail(client, home.topology(), filter)) {
      return log.newest(SHOWN_RECORDS);
    }
  }

  private void trip(UUID row, Pools pools) throws SQLException {
    console.heading(
        "One row, read back from MySQL in "
            + Texts.list(deployment.datacenters().stream().map(DataCenter::name).toList()));
    var headers = new ArrayList<String>(List.of("cell"));
    var rows = new ArrayList<List<LogRecord>>();
    for (var dc : deployment.datacenters()) {
      headers.add("added_id in " + dc.name() + ">");
      rows.add(new CellReader(dc.topology(), pools, false).row(row));
    }
    headers.add("body");
    var table = Table.of(headers.toArray(String[]::new));
    for (var cell : rows.get(0)) {
      var values = new ArrayList<Object>();
      values.add(Printable.of(cell.cell().key().columnName()) + "." + cell.cell().key().refKey());
      rows.forEach(cells -> values.add(placeOf(cell, cells)));
      int room = Math.max(30, Math.min(100, console.columns()) - 24 - 18 * rows.size());
      values.add(console.style(Style.DIM, CellText.shorten(cell.cell().body().toJson(), room)));
      table.row(values.toArray());
    }
    console.line("  row_key " + row + ", shard " + home.topology().shards().of(row));
    console.table(table);
  }

  private void overHttp(CellKey key) throws IOException, InterruptedException {
    var read = HttpCell.read(home, key);
    console.heading("One of its cells over HTTP, from the worker of " + home.name());
    console.line("  curl " + read.url());
    console.line("  " + CellText.shorten(Printable.of(read.answer()), 2 * console.columns() - 2));
  }

  private static String placeOf(LogRecord cell, List<LogRecord> cells) {
    return cells.stream()
        .filter(other -> other.cell().key().equals(cell.cell().key()))
        .findFirst()
        .map(
            other ->
                other.addedId()
                    + (other.cell().body().sameAs(cell.cell().body()) ? "" : " (differs)"))
        .orElse("missing");
  }

  private void index(IndexDefinition index, UUID row, Pools pools) throws SQLException {
    var shardValue = shardValue(index, row, pools);
    if (shardValue.isEmpty()) {
      return;
    }
    var shardField = index.shardField().name();
    console.heading("The rows of one " + shardField + ", through the index " + index.name());
    var found =
        new IndexReader(index, home.topology(), pools, false)
            .query(IndexQuery.of(shardValue.get()));
    console.table(hits.apply(index, found.subList(0, Math.min(SHOWN_HITS, found.size()))));
    console.line(
        "  "
            + shardField
            + " = "
            + shardValue.get()
            + ": "
            + Texts.count(found.size(), "row")
            + ", one shard asked");
  }

  private Optional<String> shardValue(IndexDefinition index, UUID row, Pools pools)
      throws SQLException {
    var state = IndexRow.empty(index, row);
    for (var cell : new CellReader(home.topology(), pools, false).row(row)) {
      try {
        var key = cell.cell().key();
        state = state.apply(key.columnName(), key.refKey(), cell.cell().body()).row();
      } catch (MisfitException e) {
        // Such a cell does not count for the index.
      }
    }
    return state.entry().map(entry -> entry.shardValue());
  }

  private void log(int shard) {
    console.heading(
        "The newest records of shard %d in %s".formatted(shard, deployment.topics().log()));
    var text = new CellText(console);
    try (var client = Consumers.open(home.kafka())) {
      newest(client, new LogTail.Filter(Optional.empty(), Optional.of(shard)))
          .forEach(record -> console.line(text.line(record)));
    }
  }

  private void hops() {
    console.heading("How long one cell takes");
    var table = Table.of("hop", "median>", "99 %>", "cells>");
    for (var hop : figures.hops()) {
      table.row(
          hop.hop(),
          Texts.millis(hop.percentile(0.5)),
          Texts.millis(hop.percentile(0.99)),
          hop.count());
    }
    console.table(table);
  }

  private void verification() {
    console.heading("What verify proved");
    var report = new VerificationReport(figures.verification(), figures.behind());
    if (figures.verification().passed()) {
      report.printSummary(console);
    } else {
      report.print(console);
    }
  }

  private void figures() {
    console.heading("In figures");
    var loaded = figures.loaded();
    var table = Table.of("", ">");
    table.row(
        "seconds to the first log record",
        figures.firstRecord().map(Texts::seconds).orElse("none came"));
    table.row("load rate", Texts.count(Math.round(loaded.cellsPerSecond())) + " cells/s accepted");
    table.row("from the first cell until all were everywhere", Texts.seconds(figures.everywhere()));
    table.row(
        "peak memory of all processes",
        String.format(java.util.Locale.ROOT, "%.1f GiB", figures.peakKibibytes() / 1048576.0));
    table.row(
        "verify",
        figures.verification().passed()
            ? console.style(Style.GREEN, "✓ passed")
            : console.style(Style.RED, "✗ failed"));
    console.table(table);
  }

  private void next(boolean kept, StateDirectory directory) {
    console.heading("What to try next");
    if (kept) {
      hint("put new BASE 1 '{\"fare\":12.5}' --wait", "write a cell");
      hint("tail -f", "watch the log");
      hint("status", "what is up, and every lag");
      hint("down", "stop everything");
      WorkerStatus.pages(deployment).forEach(page -> console.line("  " + page));
      console.line("  " + directory.endpoints() + "  for other tools");
    } else {
      hint("demo --keep", "leave it running, then:");
      hint("tail -f", "watch the log");
      hint("put, get, query", "write a cell, read it, find it");
      hint("demo --input FILE.csv", "see your own data in it");
    }
  }

  private void hint(String words, String what) {
    console.line("  %s %-38s  %s".formatted(CellmeshHome.command(), words, what));
  }
}
