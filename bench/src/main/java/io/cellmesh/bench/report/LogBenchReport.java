package io.cellmesh.bench.report;

import static io.cellmesh.bench.report.BenchText.count;
import static io.cellmesh.bench.report.BenchText.decimals;

import io.cellmesh.bench.LogFigures;
import io.cellmesh.bench.Result;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.List;

/** What {@code bench log} prints. */
public final class LogBenchReport {
  private final Console console;
  private final LogFigures figures;

  public LogBenchReport(Console console, LogFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    surroundings();
    catchUp();
    processors();
    if (!figures.rests().isEmpty()) {
      rests();
    }
    if (!figures.lives().isEmpty()) {
      lives();
    }
    figures.profiles().forEach(profile -> new ProfileReport(console, profile).print());
    console.line();
  }

  private void surroundings() {
    BenchText.machine(console, figures.surroundings());
    console.line("ours      connectors/cell-source.json without TLS; one master, one minion");
    console.line("peer      Debezium's MySQL connector on the same binlog, in the same worker:");
    BenchText.peer(console, figures.surroundings());
  }

  private void catchUp() {
    console.heading("catch-up: records of cells that were waiting in the minion's binlog");
    var table = Table.of("", "shards>", "cells/s>", "of the peer>", "rounds", "in the middle");
    for (var result : catchUps()) {
      table.row(
          result.name(),
          Texts.count(result.shards()),
          count(result.cellsPerSecond()),
          decimals(result.cellsPerSecond() / figures.peer().cellsPerSecond(), 2),
          BenchText.rates(result),
          BenchText.steady(result));
    }
    console.table(table);
    console.line(
        "  A round's rate is that from its first record to its last; in the middle, without the first fifth and the last.");
  }

  private void processors() {
    var table = BenchText.processors(console);
    catchUps().forEach(r -> BenchText.processors(table, r.name(), BenchText.last(r)));
    figures
        .lives()
        .forEach(
            live ->
                BenchText.processors(
                    table, "%s, %s/s".formatted(live.name(), count(live.rate())), live.load()));
    console.table(table);
    BenchText.disturbed(console);
  }

  private void rests() {
    console.heading("the worker at rest, in percent of a processor");
    var table = Table.of("connector running", "percent>", "seconds>");
    figures
        .rests()
        .forEach(
            rest -> table.row(rest.name(), decimals(rest.percent(), 2), count(rest.seconds())));
    console.table(table);
  }

  private void lives() {
    console.heading("from the commit to a consumer, in milliseconds");
    var table = Table.of("", "cells/s>", "written>", "p50>", "p99>", "most>", "cells>", "early>");
    figures
        .lives()
        .forEach(
            live ->
                table.row(
                    live.name(),
                    count(live.rate()),
                    count(live.written()),
                    decimals(live.p50(), 2),
                    decimals(live.p99(), 2),
                    decimals(live.max(), 1),
                    Texts.count(live.cells()),
                    Texts.count(live.early())));
    console.table(table);
    console.line(
        "  From the return of the client's commit to that of the consumer's poll, one clock. Early cells were consumed");
    console.line("  before their commit had returned; they count as 0.");
  }

  private List<Result> catchUps() {
    return List.of(figures.ours(), figures.peer(), figures.peerByDefault());
  }
}
