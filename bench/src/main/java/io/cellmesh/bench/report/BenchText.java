package io.cellmesh.bench.report;

import io.cellmesh.bench.Result;
import io.cellmesh.bench.Round;
import io.cellmesh.bench.Surroundings;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What the reports of the benchmarks have in common. */
final class BenchText {
  private BenchText() {}

  /** Where it ran. */
  static void machine(Console console, Surroundings around) {
    console.line("machine   " + around.machine());
    console.line("versions  " + values(around.versions(), " "));
    console.line("mysqld    " + values(around.mysql(), "="));
  }

  /** The peer's settings, a line each and without what is secret. */
  static void peer(Console console, Surroundings around) {
    around
        .peer()
        .forEach((name, value) -> console.line("          " + name + "=" + masked(name, value)));
  }

  /** A table for {@link #processors(Table, String, Round)}, under its heading. */
  static Table processors(Console console) {
    console.heading("processor seconds a million cells, last round");
    return Table.of(
        "", "by process", "worker compiling>", "all else>", "other machines>", "processors busy>");
  }

  static void processors(Table table, String name, Round round) {
    double million = round.cells() / 1e6;
    table.row(
        name,
        round.cpu().entrySet().stream()
            .filter(e -> e.getValue() > 0)
            .map(e -> e.getKey() + " " + decimals(e.getValue() / million, 1))
            .collect(Collectors.joining(", ")),
        decimals(round.compiling() / million, 1),
        decimals(round.others() / million, 1),
        decimals(round.stolen() / million, 1),
        decimals(round.busy(), 2));
  }

  static void disturbed(Console console) {
    console.line(
        "  A rate marked ! was disturbed: a tenth of the processors' time went to somebody else, here or on another machine.");
  }

  /** The rates of all rounds. */
  static String rates(Result result) {
    return result.rounds().stream()
        .map(round -> count(round.cellsPerSecond()) + (round.disturbed() ? "!" : ""))
        .collect(Collectors.joining(" "));
  }

  /** The rates of all rounds, without their beginnings and ends. */
  static String steady(Result result) {
    return result.rounds().stream()
        .map(round -> count(round.steady()))
        .collect(Collectors.joining(" "));
  }

  static Round last(Result result) {
    return result.rounds().get(result.rounds().size() - 1);
  }

  static String count(double value) {
    return Texts.count(Math.round(value));
  }

  static String decimals(double value, int places) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }

  private static String masked(String name, String value) {
    return name.contains("password") && !value.isEmpty() ? "…" : value;
  }

  static String values(Map<String, String> values, String between) {
    return values.entrySet().stream()
        .map(e -> e.getKey() + between + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
