package io.cellmesh.bench.report;

import static io.cellmesh.bench.report.BenchText.count;
import static io.cellmesh.bench.report.BenchText.decimals;

import io.cellmesh.bench.CallbackFigures;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;

/** What {@code bench trigger} prints. */
public final class TriggerBenchReport {
  private final Console console;
  private final CallbackFigures figures;

  public TriggerBenchReport(Console console, CallbackFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    console.line("machine   " + figures.machine());
    console.line("versions  " + BenchText.values(figures.versions(), " "));
    callbacks();
    processors();
    waiting();
    latencies();
    figures.profiles().forEach(profile -> new ProfileReport(console, profile).print());
    console.line();
  }

  private void callbacks() {
    console.heading("callbacks that do nothing, with a log that was there");
    var table = Table.of("", "cells/s>", "of plain>", "of parallel>", "rounds", "in the middle");
    for (var result : figures.results()) {
      table.row(
          result.name(),
          count(result.cellsPerSecond()),
          decimals(figures.toPlain(result), 2),
          decimals(figures.toParallel(result), 2),
          BenchText.rates(result),
          BenchText.steady(result));
    }
    console.table(table);
  }

  private void processors() {
    var table = BenchText.processors(console);
    figures.results().forEach(r -> BenchText.processors(table, r.name(), BenchText.last(r)));
    console.table(table);
    BenchText.disturbed(console);
  }

  private void waiting() {
    console.heading("callbacks that wait for 5 ms");
    var table = Table.of("threads>", "callbacks/s>", "of one thread>");
    for (var pace : figures.paces()) {
      table.row(
          Texts.count(pace.threads()),
          count(pace.callbacks()),
          decimals(figures.toOneThread(pace), 1));
    }
    console.table(table);
  }

  private void latencies() {
    console.heading("from the producer to the callback at 1,000 cells a second, in milliseconds");
    var table = Table.of("", "p50>", "p99>", "most>", "cells>");
    for (var latency : figures.latencies()) {
      table.row(
          latency.name(),
          decimals(latency.p50(), 2),
          decimals(latency.p99(), 2),
          decimals(latency.max(), 1),
          Texts.count(latency.cells()));
    }
    console.table(table);
    console.line("  Both read at the same time, in the process that writes.");
  }
}
