package io.cellmesh.bench.report;

import static io.cellmesh.bench.report.BenchText.count;
import static io.cellmesh.bench.report.BenchText.decimals;

import io.cellmesh.bench.MeshFigures;
import io.cellmesh.bench.MeshFigures.Way;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;

/** What {@code bench mesh} prints. */
public final class MeshBenchReport {
  private final Console console;
  private final MeshFigures figures;

  public MeshBenchReport(Console console, MeshFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    surroundings();
    backlogs();
    streams();
    whole();
    processors();
    console.line();
  }

  private void surroundings() {
    BenchText.machine(console, figures.surroundings());
    console.line(
        "ours      herb-replicator with 128 MiB of heap, its settings as they are by default, and");
    console.line(
        "          connectors/cell-sink.json without TLS over two masters; copies are written");
    console.line(
        "peer      MirrorMaker 2 and Debezium's JDBC sink in one worker, one master, one table:");
    BenchText.peer(console, figures.surroundings());
  }

  private void backlogs() {
    console.heading("cells a second, from the origin's log until they are committed far away");
    var table = Table.of("one way", "", "cells/s>", "of the peer>", "rounds", "in the middle");
    for (var way : figures.results()) {
      table.row(
          millis(way.delay()),
          way.name(),
          count(way.backlog().cellsPerSecond()),
          way.peer() ? "" : decimals(figures.toPeer(way), 2),
          BenchText.rates(way.backlog()),
          BenchText.steady(way.backlog()));
    }
    console.table(table);
  }

  private void streams() {
    console.heading(
        "milliseconds at 1,000 cells a second, from the producer in the origin to the row far away");
    var table = Table.of("one way", "", "p50>", "p99>", "p50 above>", "p99 above>", "cells>");
    for (var way : figures.results()) {
      table.row(
          millis(way.delay()),
          way.name(),
          decimals(way.p50(), 1),
          decimals(way.p99(), 1),
          decimals(way.p50() - way.delay(), 1),
          decimals(way.p99() - way.delay(), 1),
          cells(way));
    }
    console.table(table);
    console.line("  Above is what is left without the time that the network takes one way.");
  }

  private static String cells(Way way) {
    return Texts.count(way.streams().stream().mapToLong(stream -> stream.cells()).sum());
  }

  private void whole() {
    console.heading(
        "milliseconds at 1,000 cells a second, from the commit on the origin's master to the row far away");
    var table = Table.of("one way", "", "p50>", "p99>", "p50 above>", "p99 above>");
    for (var way : figures.whole()) {
      table.row(
          millis(way.delay()),
          way.name(),
          decimals(way.latency().p50(), 1),
          decimals(way.latency().p99(), 1),
          decimals(way.latency().p50() - way.delay(), 1),
          decimals(way.latency().p99() - way.delay(), 1));
    }
    console.table(table);
  }

  private void processors() {
    var table = BenchText.processors(console);
    for (var way : figures.results()) {
      BenchText.processors(
          table, way.name() + ", " + millis(way.delay()), BenchText.last(way.backlog()));
    }
    console.table(table);
    BenchText.disturbed(console);
  }

  private static String millis(int delay) {
    return delay + " ms";
  }
}
