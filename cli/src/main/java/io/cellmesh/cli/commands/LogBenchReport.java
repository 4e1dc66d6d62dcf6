package io.cellmesh.cli.commands;

import io.cellmesh.bench.LogFigures;
import io.cellmesh.bench.Result;
import io.cellmesh.bench.Round;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code bench log} prints. */
final class LogBenchReport {
  private final Console console;
  private final LogFigures figures;

  LogBenchReport(Console console, LogFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  void print() {
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
    var around = figures.surroundings();
    console.line("machine   " + around.machine());
    console.line("versions  " + values(around.versions(), " "));
    console.line("mysqld    " + values(around.mysql(), "="));
    console.line("ours      connectors/cell-source.json without TLS; one master, one minion");
    console.line("peer      Debezium's MySQL connector on the same binlog, in the same worker:");
    around
        .peer()
        .forEach((name, value) -> console.line("          " + name + "=" + masked(name, value)));
  }

  private static String masked(String name, String value) {
    return name.contains("password") && !value.isEmpty() ? "…" : value;
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
          result.rounds().stream().map(LogBenchReport::rate).collect(Collectors.joining(" ")),
          result.rounds().stream()
              .map(round -> count(round.steady()))
              .collect(Collectors.joining(" ")));
    }
    console.table(table);
    console.line(
        "  A round's rate is that from its first record to its last; in the middle, without the first fifth and the last.");
  }

  private void processors() {
    console.heading("processor seconds a million cells, last round");
    var table = Table.of("", "by process", "worker compiling>", "all else>", "processors busy>");
    catchUps().forEach(result -> cpu(table, result.name(), last(result)));
    figures
        .lives()
        .forEach(
            live -> cpu(table, "%s, %s/s".formatted(live.name(), count(live.rate())), live.load()));
    console.table(table);
    console.line(
        "  A rate marked ! was disturbed: a tenth of the processors' work was somebody else's.");
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

  private static Round last(Result result) {
    return result.rounds().get(result.rounds().size() - 1);
  }

  private static String rate(Round round) {
    return count(round.cellsPerSecond()) + (round.disturbed() ? "!" : "");
  }

  private static void cpu(Table table, String name, Round round) {
    double million = round.cells() / 1e6;
    table.row(
        name,
        round.cpu().entrySet().stream()
            .map(e -> e.getKey() + " " + decimals(e.getValue() / million, 1))
            .collect(Collectors.joining(", ")),
        decimals(round.compiling() / million, 1),
        decimals(round.others() / million, 1),
        decimals(round.busy(), 2));
  }

  private static String count(double value) {
    return Texts.count(Math.round(value));
  }

  private static String decimals(double value, int places) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }

  private static String values(Map<String, String> values, String between) {
    return values.entrySet().stream()
        .map(e -> e.getKey() + between + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
