package io.cellmesh.terminal;

import io.cellmesh.operations.capacity.Bound;
import io.cellmesh.operations.capacity.Capacity;
import io.cellmesh.operations.capacity.Figure.Unit;
import java.util.Locale;

/** What {@code cellmesh capacity} prints. */
public final class CapacityReport {
  /** Of bounds that are not exceeded, those shown. */
  private static final int NEAREST = 3;

  private static final String[] PREFIXES = {"", "k", "M", "G", "T", "P"};

  private final Console console;
  private final Capacity capacity;

  public CapacityReport(Console console, Capacity capacity) {
    this.console = console;
    this.capacity = capacity;
  }

  /** Prints the figures by subject, and what there is too little of. */
  public void print() {
    for (var section : capacity.sections()) {
      console.heading(section.title());
      var table = Table.of("", ">", "");
      section.figures().forEach(f -> table.row(f.label(), text(f.value(), f.unit()), f.how()));
      console.table(table);
    }
    console.heading("What breaks first");
    var bounds = capacity.bounds();
    int exceeded = (int) bounds.stream().filter(Bound::exceeded).count();
    bounds.stream().limit(Math.max(NEAREST, exceeded)).forEach(this::print);
    console.line(
        capacity
            .mostCells()
            .map(
                most ->
                    most < 1
                        ? "  No load fits until these are mended."
                        : "  The first limit is reached at %s cells a second and data centre."
                            .formatted(Texts.count(Math.round(most))))
            .orElse("  No load that can be computed reaches a limit."));
  }

  private void print(Bound bound) {
    var line =
        "  %s: %s of %s, %.0f %%"
            .formatted(
                bound.label(),
                text(bound.needed(), bound.unit()),
                text(bound.limit(), bound.unit()),
                bound.share() * 100);
    if (bound.exceeded()) {
      console.line(console.style(Style.RED, line));
      console.line("    " + bound.nextStep());
    } else {
      console.line(line);
    }
  }

  /** A value as people read it. */
  static String text(double value, Unit unit) {
    return switch (unit) {
      case COUNT -> decimals(value);
      case PER_SECOND -> decimals(value) + "/s";
      case SECONDS -> value < 1 ? Texts.millis(value * 1000) : decimals(value) + " s";
      case CORES -> String.format(Locale.ROOT, "%.2f", value);
      case BYTES -> bytes(value);
      case BYTES_PER_SECOND -> bytes(value) + "/s";
      case BYTES_PER_DAY -> bytes(value) + " a day";
    };
  }

  private static String decimals(double value) {
    return value >= 100 || value == Math.rint(value)
        ? Texts.count(Math.round(value))
        : String.format(Locale.ROOT, value < 1 ? "%.2f" : "%.1f", value);
  }

  private static String bytes(double value) {
    int prefix = 0;
    double rest = value;
    while (rest >= 1000 && prefix < PREFIXES.length - 1) {
      rest /= 1000;
      prefix++;
    }
    return String.format(Locale.ROOT, rest < 10 ? "%.1f %sB" : "%.0f %sB", rest, PREFIXES[prefix]);
  }
}
