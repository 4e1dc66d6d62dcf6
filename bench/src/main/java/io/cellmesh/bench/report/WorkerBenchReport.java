package io.cellmesh.bench.report;

import static io.cellmesh.bench.WorkerFigures.median;
import static io.cellmesh.bench.report.BenchText.count;
import static io.cellmesh.bench.report.BenchText.decimals;

import io.cellmesh.bench.AskedRound;
import io.cellmesh.bench.WorkerFigures;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code bench worker} prints. */
public final class WorkerBenchReport {
  private final Console console;
  private final WorkerFigures figures;

  public WorkerBenchReport(Console console, WorkerFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    BenchText.machine(console, figures.surroundings());
    rates();
    costs();
    latencies();
    figures.writes().forEach(this::writes);
    memory();
    console.line();
  }

  private void rates() {
    console.heading(
        "answers a second, with %d threads that ask one thing after the other"
            .formatted(figures.plan().threads()));
    var table = Table.of("", "plain JDBC>", "worker>", "of plain>", "rounds", "");
    for (var of : figures.reads()) {
      table.row(
          of.question().text(),
          count(median(of.plain(), AskedRound::perSecond)),
          count(median(of.worker(), AskedRound::perSecond)),
          decimals(of.ratio(), 2),
          rates(of.plain()),
          rates(of.worker()));
    }
    console.table(table);
  }

  private void costs() {
    console.heading("processor time of such an answer, in microseconds");
    var table = Table.of("", "MySQL, asked plainly>", "MySQL, by the worker>", "worker>");
    for (var of : figures.reads()) {
      table.row(
          of.question().text(),
          decimals(of.plainCost().masters(), 0),
          decimals(of.workerCost().masters(), 0),
          decimals(of.workerCost().node(), 0));
    }
    console.table(table);
  }

  private void latencies() {
    console.heading("at 1,000 questions a second, in milliseconds");
    var table =
        Table.of("", "plain p50>", "worker p50>", "more>", "plain p99>", "worker p99>", "more>");
    for (var of : figures.reads()) {
      double plain50 = median(of.plainPaced(), AskedRound::p50);
      double worker50 = median(of.workerPaced(), AskedRound::p50);
      double plain99 = median(of.plainPaced(), AskedRound::p99);
      double worker99 = median(of.workerPaced(), AskedRound::p99);
      table.row(
          of.question().text(),
          decimals(plain50, 2),
          decimals(worker50, 2),
          decimals(worker50 - plain50, 2),
          decimals(plain99, 2),
          decimals(worker99, 2),
          decimals(worker99 - plain99, 2));
    }
    console.table(table);
  }

  private void writes(WorkerFigures.Writes writes) {
    console.heading(
        "cells written at %s a second, in milliseconds".formatted(Texts.count(writes.rate())));
    var table = Table.of("", "p50>", "p99>", "most>");
    var sink = writes.sink();
    table.row(
        "a producer, until the row is committed",
        decimals(sink.p50(), 1),
        decimals(sink.p99(), 1),
        decimals(sink.max(), 1));
    writes.rounds().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            e ->
                table.row(
                    e.getKey().text(),
                    decimals(e.getValue().p50(), 1),
                    decimals(e.getValue().p99(), 1),
                    decimals(e.getValue().most(), 1)));
    console.table(table);
  }

  private void memory() {
    var memory = figures.memory();
    var idle = figures.idle();
    console.heading("memory");
    console.line(
        "  heap in use %s, after %s requests more %s; resident %s, then %s"
            .formatted(
                mebibytes(memory.heapBefore()),
                Texts.count(figures.plan().requests()),
                mebibytes(memory.heapAfter()),
                mebibytes(memory.residentBefore()),
                mebibytes(memory.residentAfter())));
    console.line(
        "  %s idle connections: %s of heap; latest meanwhile: %s"
            .formatted(Texts.count(idle.connections()), mebibytes(idle.heap()), idle.meanwhile()));
  }

  private static String mebibytes(long bytes) {
    return decimals(bytes / (double) (1 << 20), 1) + " MiB";
  }

  private static String rates(List<AskedRound> rounds) {
    return rounds.stream().map(round -> count(round.perSecond())).collect(Collectors.joining(" "));
  }
}
