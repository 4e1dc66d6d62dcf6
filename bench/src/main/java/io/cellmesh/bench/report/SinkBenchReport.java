package io.cellmesh.bench.report;

import static io.cellmesh.bench.report.BenchText.count;
import static io.cellmesh.bench.report.BenchText.decimals;

import io.cellmesh.bench.LatencyFigures;
import io.cellmesh.bench.Result;
import io.cellmesh.bench.SinkFigures;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.Locale;

/** What {@code bench sink} prints. */
public final class SinkBenchReport {
  private final Console console;
  private final SinkFigures figures;

  public SinkBenchReport(Console console, SinkFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    surroundings();
    console.line();
    var table =
        Table.of(
            "", "tables>", "cells/s>", "of the peer>", "of the first>", "rounds", "in the middle");
    figures.ours().forEach(result -> row(table, result, decimals(figures.toFirst(result), 2)));
    row(table, figures.peer(), "");
    row(table, figures.raw(), "");
    console.table(table);
    console.line(
        "  A round's rate is that from its first visible row to its last; in the middle, without the first fifth and the last, it is %s of the peer's."
            .formatted(decimals(figures.ours().get(0).steady() / figures.peer().steady(), 2)));
    processors();
    figures.latency().ifPresent(this::latency);
    figures.profiles().forEach(profile -> new ProfileReport(console, profile).print());
    console.line();
  }

  private void surroundings() {
    BenchText.machine(console, figures.surroundings());
    console.line(
        "ours      connectors/cell-sink.json without TLS; two masters without minions, so copies are");
    console.line("          written and none is reaped");
    console.line(
        "peer      one master, one table without a unique key, single writes, no compression:");
    BenchText.peer(console, figures.surroundings());
    console.line(
        "raw       the peer's master and table, two threads, 2,000 rows an INSERT and commit");
  }

  private void row(Table table, Result result, String toFirst) {
    table.row(
        result.name(),
        Texts.count(result.shards()),
        count(result.cellsPerSecond()),
        decimals(result.cellsPerSecond() / figures.peer().cellsPerSecond(), 2),
        toFirst,
        BenchText.rates(result),
        BenchText.steady(result));
  }

  private void processors() {
    var table = BenchText.processors(console);
    figures
        .ours()
        .forEach(
            result ->
                BenchText.processors(
                    table,
                    "%s, %s tables".formatted(result.name(), Texts.count(result.shards())),
                    BenchText.last(result)));
    BenchText.processors(table, figures.peer().name(), BenchText.last(figures.peer()));
    BenchText.processors(table, figures.raw().name(), BenchText.last(figures.raw()));
    figures.latency().ifPresent(latency -> BenchText.processors(table, "latency", latency.load()));
    console.table(table);
    BenchText.disturbed(console);
  }

  private void latency(LatencyFigures latency) {
    console.heading(
        "from the producer's send to the committed row, at %s cells/s"
            .formatted(Texts.count(latency.rate())));
    console.line(
        String.format(
            Locale.ROOT,
            "  p50 %.1f ms, p99 %.1f ms, most %.1f ms over %,d cells; the masters were asked every %.1f ms (p99), one clock",
            latency.p50(),
            latency.p99(),
            latency.max(),
            latency.cells(),
            latency.poll()));
  }
}
