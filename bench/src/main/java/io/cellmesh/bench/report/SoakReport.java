package io.cellmesh.bench.report;

import io.cellmesh.bench.SoakFigures;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.Locale;

/** What {@code bench sink --soak} prints. */
public final class SoakReport {
  private final Console console;
  private final SoakFigures figures;

  public SoakReport(Console console, SoakFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    var table = Table.of("seconds>", "cells>", "heap after GC>", "resident>");
    figures
        .samples()
        .forEach(
            sample ->
                table.row(
                    Texts.count(Math.round(sample.seconds())),
                    Texts.count(sample.cells()),
                    mebibytes(sample.heap()),
                    mebibytes(sample.resident())));
    console.table(table);
    console.line();
    console.line(
        String.format(
            Locale.ROOT,
            "%,d cells in %,.0f s; from the first third to the last: heap x %.2f, resident x %.2f: %s",
            figures.cells(),
            figures.seconds(),
            figures.heapGrowth(),
            figures.residentGrowth(),
            figures.flat() ? "flat" : "not flat"));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
  }
}
