package io.cellmesh.cli.commands;

import io.cellmesh.bench.LatencyFigures;
import io.cellmesh.bench.Result;
import io.cellmesh.bench.Round;
import io.cellmesh.bench.SinkFigures;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Table;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code bench sink} prints. */
final class SinkBenchReport {
  private final Console console;
  private final SinkFigures figures;

  SinkBenchReport(Console console, SinkFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  void print() {
    surroundings();
    console.line();
    var table =
        Table.of(
            "", "tables>", "cells/s>", "of the peer>", "of the first>", "rounds", "in the middle");
    figures.ours().forEach(result -> row(table, result, ratio(figures.toFirst(result))));
    row(table, figures.peer(), "");
    row(table, figures.raw(), "");
    console.table(table);
    console.line(
        "  A round's rate is that from its first visible row to its last; in the middle, without the first fifth and the last, it is %s of the peer's."
            .formatted(ratio(figures.ours().get(0).steady() / figures.peer().steady())));
    processors();
    figures.latency().ifPresent(this::latency);
    figures.profiles().forEach(profile -> new ProfileReport(console, profile).print());
    console.line();
  }

  private void surroundings() {
    var around = figures.surroundings();
    console.line("machine   " + around.machine());
    console.line("versions  " + values(around.versions(), " "));
    console.line("mysqld    " + values(around.mysql(), "="));
    console.line(
        "ours      connectors/cell-sink.json without TLS; two masters without minions, so copies are");
    console.line("          written and none is reaped");
    console.line(
        "peer      one master, one table without a unique key, single writes, no compression:");
    around
        .peer()
        .forEach((name, value) -> console.line("          " + name + "=" + masked(name, value)));
    console.line(
        "raw       the peer's master and table, two threads, 2,000 rows an INSERT and commit");
  }

  private static String masked(String name, String value) {
    return name.contains("password") ? "…" : value;
  }

  private void row(Table table, Result result, String toFirst) {
    table.row(
        result.name(),
        Texts.count(result.shards()),
        Texts.count(Math.round(result.cellsPerSecond())),
        ratio(result.cellsPerSecond() / figures.peer().cellsPerSecond()),
        toFirst,
        result.rounds().stream().map(SinkBenchReport::rate).collect(Collectors.joining(" ")),
        result.rounds().stream()
            .map(round -> Texts.count(Math.round(round.steady())))
            .collect(Collectors.joining(" ")));
  }

  private static String rate(Round round) {
    return Texts.count(Math.round(round.cellsPerSecond())) + (round.disturbed() ? "!" : "");
  }

  private void processors() {
    console.heading("processor seconds a million cells, last round");
    var table =
        Table.of("", "tables>", "by process", "worker compiling>", "all else>", "processors busy>");
    figures.ours().forEach(result -> cpu(table, result));
    cpu(table, figures.peer());
    cpu(table, figures.raw());
    figures.latency().ifPresent(latency -> cpu(table, "latency", "", latency.load()));
    console.table(table);
    console.line(
        "  A rate marked ! was disturbed: a tenth of the processors' work was somebody else's.");
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

  private static void cpu(Table table, Result result) {
    var last = result.rounds().get(result.rounds().size() - 1);
    cpu(table, result.name(), Texts.count(result.shards()), last);
  }

  private static void cpu(Table table, String name, String tables, Round round) {
    double million = round.cells() / 1e6;
    table.row(
        name,
        tables,
        round.cpu().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s %.1f", e.getKey(), e.getValue() / million))
            .collect(Collectors.joining(", ")),
        String.format(Locale.ROOT, "%.1f", round.compiling() / million),
        String.format(Locale.ROOT, "%.1f", round.others() / million),
        String.format(Locale.ROOT, "%.2f", round.busy()));
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String values(Map<String, String> values, String between) {
    return values.entrySet().stream()
        .map(e -> e.getKey() + between + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
