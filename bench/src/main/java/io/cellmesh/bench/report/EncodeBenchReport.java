package io.cellmesh.bench.report;

import io.cellmesh.bench.EncodeFigures;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;

/** What {@code bench encode} prints. */
public final class EncodeBenchReport {
  private final Console console;
  private final EncodeFigures figures;

  public EncodeBenchReport(Console console, EncodeFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    console.line("machine   " + figures.machine());
    console.line("versions  Java " + figures.java());
    console.line("records   " + BenchText.count(figures.record()) + " bytes each");
    var table = Table.of("", "ns>", "bytes allocated>", "bytes stored>");
    for (var stage : figures.stages()) {
      table.row(
          stage.name(),
          BenchText.count(stage.nanos()),
          BenchText.count(stage.allocated()),
          stage.stored() > 0 ? BenchText.count(stage.stored()) : "");
    }
    console.table(table);
  }
}
