package io.cellmesh.bench.report;

import io.cellmesh.bench.CapacityFigures;
import io.cellmesh.bench.CapacityFigures.Round;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import java.util.Locale;

/** What {@code bench capacity} prints. */
public final class CapacityBenchReport {
  private final Console console;
  private final CapacityFigures figures;

  public CapacityBenchReport(Console console, CapacityFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints what was measured beside what was predicted, by number of clusters and rate. */
  public void print() {
    console.line(figures.machine());
    console.line();
    figures.rounds().forEach(this::print);
    console.line(
        "  %d of %d figures are within a quarter of the model's."
            .formatted(figures.close(), figures.all()));
  }

  private void print(Round round) {
    console.heading(round.name());
    console.line(
        String.format(
            Locale.ROOT,
            "  %d minions each, %d shards, %d sink tasks; %.1f cells a put, a commit takes %.1f ms",
            round.minions(),
            round.shards(),
            round.tasks(),
            round.putCells(),
            round.commitMillis()));
    var table = Table.of("", "measured>", "model>", "ratio>");
    for (var line : round.lines()) {
      var ratio = String.format(Locale.ROOT, "%.2f", line.ratio());
      table.row(
          line.label(),
          decimals(line.measured()),
          decimals(line.predicted()),
          line.close() ? ratio : console.style(Style.YELLOW, ratio));
    }
    console.table(table);
    console.line();
  }

  private static String decimals(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.3f" : value < 100 ? "%.1f" : "%,.0f", value);
  }
}
