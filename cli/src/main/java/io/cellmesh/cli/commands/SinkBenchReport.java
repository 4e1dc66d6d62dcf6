package io.cellmesh.cli.commands;

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
    console.line("machine   " + figures.machine());
    console.line("versions  " + values(figures.versions(), " "));
    console.line("mysqld    " + values(figures.mysql(), "="));
    console.line(
        "ours      connectors/cell-sink.json without TLS, two masters without minions, so copies are written and not reaped");
    console.line("peer      one master, one table without a unique key; its settings:");
    figures
        .peerSettings()
        .forEach(
            (name, value) ->
                console.line(
                    "            " + name + "=" + (name.contains("password") ? "…" : value)));
    console.line();
    var table = Table.of("", "tables>", "cells/s>", "of the peer>", "rounds");
    for (var result : figures.ours()) {
      row(table, result);
    }
    row(table, figures.peer());
    row(table, figures.raw());
    console.table(table);
    cpu();
  }

  private void row(Table table, Result result) {
    table.row(
        result.name(),
        Texts.count(result.shards()),
        Texts.count(Math.round(result.cellsPerSecond())),
        String.format(
            Locale.ROOT, "%.2f", result.cellsPerSecond() / figures.peer().cellsPerSecond()),
        result.rounds().stream()
            .map(round -> Texts.count(Math.round(round.cellsPerSecond())))
            .collect(Collectors.joining(" ")));
  }

  private void cpu() {
    console.heading("processor seconds a million cells, last round");
    var table = Table.of("", "by process", "everything else on the machine>");
    for (var result : figures.ours()) {
      cpu(table, result);
    }
    cpu(table, figures.peer());
    cpu(table, figures.raw());
    console.table(table);
  }

  private static void cpu(Table table, Result result) {
    Round last = result.rounds().get(result.rounds().size() - 1);
    double million = last.cells() / 1e6;
    table.row(
        result.name(),
        last.cpu().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s %.1f", e.getKey(), e.getValue() / million))
            .collect(Collectors.joining(", ")),
        String.format(Locale.ROOT, "%.1f", last.others() / million));
  }

  private static String values(Map<String, String> values, String between) {
    return values.entrySet().stream()
        .map(e -> e.getKey() + between + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
