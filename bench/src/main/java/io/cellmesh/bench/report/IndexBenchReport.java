package io.cellmesh.bench.report;

import static io.cellmesh.bench.report.BenchText.count;
import static io.cellmesh.bench.report.BenchText.decimals;

import io.cellmesh.bench.IndexFigures;
import io.cellmesh.bench.IndexFigures.Hop;
import io.cellmesh.bench.Result;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code bench index} prints. */
public final class IndexBenchReport {
  private final Console console;
  private final IndexFigures figures;

  public IndexBenchReport(Console console, IndexFigures figures) {
    this.console = console;
    this.figures = figures;
  }

  /** Prints them. */
  public void print() {
    BenchText.machine(console, figures.surroundings());
    console.line(
        "ours      connectors/*.json without TLS; one master, one minion; the log is read from the minion, as shipped, where it does not say otherwise");
    console.line("peer      a Kafka Streams application: read, map the value to itself, write");
    fresh();
    backfill();
    tables();
    processors();
    queries();
    console.line();
  }

  private void fresh() {
    var all = figures.fresh();
    console.heading(
        "from a cell's commit to its entries, three indexes at %s cells/s, in milliseconds"
            .formatted(count(all.get(0).rate())));
    var table =
        Table.of(
            "", "p50>", "p99>", "most>", "entries>", "cells/s>", "p50/p99 by round", "yardstick");
    for (var fresh : all) {
      table.row(
          "log from the " + fresh.log(),
          decimals(fresh.percentile(50), 2),
          decimals(fresh.percentile(99), 2),
          decimals(fresh.percentile(100), 1),
          count(fresh.sampled()),
          count(fresh.written()),
          fresh.rounds().stream()
              .map(r -> decimals(r.percentile(50), 1) + "/" + decimals(r.percentile(99), 1))
              .collect(Collectors.joining(" ")),
          fresh.rounds().stream()
              .map(r -> decimals(r.yardstick().p50(), 1) + "/" + decimals(r.yardstick().p99(), 1))
              .collect(Collectors.joining(" ")));
      fresh
          .hops()
          .forEach(
              hop ->
                  table.row(
                      "  " + hop.name(),
                      decimals(hop.p50(), 1),
                      decimals(hop.p99(), 1),
                      "",
                      "",
                      "",
                      "",
                      ""));
    }
    console.table(table);
    console.line(
        "  From the return of the client's commit to that of the query that finds the entry on its master, one clock;");
    console.line(
        "  ten cells a second are watched, a commit comes every 10 ms. The hops are told to the millisecond.");
    console.line(
        "  Yardstick: what a fixed calculation took on the resting machine before each round, p50/p99. It grows when the machine's host is busy or stops the machine, and all times with it.");
    all.forEach(
        fresh ->
            console.line(
                "  What the machine adds at each step (log from the %s): a thread that slept for 5 ms woke up late by %s, %s; other machines took %s of the processors."
                    .formatted(
                        fresh.log(),
                        late(fresh.last().atRest()),
                        late(fresh.last().meanwhile()),
                        decimals(
                            fresh.last().load().stolen() / fresh.last().load().seconds(), 2))));
  }

  private static String late(Hop late) {
    return "p50 %s and p99 %s ms %s"
        .formatted(decimals(late.p50(), 1), decimals(late.p99(), 1), late.name());
  }

  private void backfill() {
    console.heading("backfill: the whole log into index topics, in cells a second");
    var table = Table.of("", "cells/s>", "of the peer>", "rounds", "in the middle");
    for (var result : streams()) {
      table.row(
          result.name(),
          count(result.cellsPerSecond()),
          decimals(figures.ratio(result), 2),
          BenchText.rates(result),
          BenchText.steady(result));
    }
    console.table(table);
    console.line(
        "  Every round is a new process that begins with nothing; the clock runs from its first record to its last.");
  }

  private void tables() {
    console.heading("entries into the tables of one index, in entries a second");
    var table = Table.of("", "entries/s>", "rounds", "in the middle");
    var tables = figures.tables();
    table.row(
        tables.name(),
        count(tables.cellsPerSecond()),
        BenchText.rates(tables),
        BenchText.steady(tables));
    console.table(table);
  }

  private void processors() {
    var table = BenchText.processors(console);
    figures
        .fresh()
        .forEach(
            fresh -> BenchText.processors(table, "fresh, " + fresh.log(), fresh.last().load()));
    streams().forEach(r -> BenchText.processors(table, r.name(), BenchText.last(r)));
    BenchText.processors(table, figures.tables().name(), BenchText.last(figures.tables()));
    console.table(table);
    BenchText.disturbed(console);
  }

  private void queries() {
    var queries = figures.queries();
    console.heading("queries for the 20 entries of a driver, at the client, in milliseconds");
    var table = Table.of("entries>", "queries>", "p50>", "p99>", "most>", "filled in s>");
    table.row(
        count(queries.entries()),
        count(queries.queries()),
        decimals(queries.p50(), 2),
        decimals(queries.p99(), 2),
        decimals(queries.max(), 1),
        decimals(queries.loadSeconds(), 0));
    console.table(table);
    console.line("  shard %d on %s".formatted(queries.shard(), queries.server()));
    console.line("  " + queries.sql());
    queries.plan().lines().forEach(line -> console.line("  " + line));
  }

  private List<Result> streams() {
    var all = new ArrayList<>(figures.backfills());
    all.add(figures.peer());
    return all;
  }
}
