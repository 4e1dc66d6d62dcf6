package io.cellmesh.bench.report;

import io.cellmesh.bench.ShardsFigures;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.Locale;

/** What {@code bench log} prints for several numbers of shards. */
public final class ShardsBenchReport {
  private final Console console;
  private final ShardsFigures figures;

  public ShardsBenchReport(Console console, ShardsFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    var table =
        Table.of(
            "shards>",
            "created in s>",
            "first record after s>",
            "cells/s>",
            "of the first>",
            "heap after GC>",
            "heap>");
    figures
        .counts()
        .forEach(
            count ->
                table.row(
                    Texts.count(count.shards()),
                    decimals(count.createSeconds(), 1),
                    decimals(count.firstRecordSeconds(), 2),
                    Texts.count(Math.round(count.result().cellsPerSecond())),
                    decimals(figures.toFirst(count), 2),
                    mebibytes(count.heap()),
                    mebibytes(count.heapFull())));
    console.table(table);
    console.line(
        "  Ours alone, on servers of its own. The first record: from the connector's creation, on a worker that had none.");
    console.line("  Heap: the worker's, at most, after a collection and before one.");
    console.line();
  }

  private static String decimals(double value, int places) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }

  private static String mebibytes(long bytes) {
    return Texts.count(bytes >> 20) + " MiB";
  }
}
