package io.cellmesh.bench;

import io.cellmesh.bench.IndexBench.ShippedIndexConnector;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * How fast the whole log becomes entries, beside a Streams application that only copies it; then
 * how fast those entries become rows. Each round has applications, topics and tables of its own, so
 * that everybody begins with nothing.
 */
final class Backfill {
  private static final Duration STALL = Duration.ofSeconds(60);
  private static final int PATIENCE_SECONDS = 8;

  /** Everybody may use all of the machine. */
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private final LogServers servers;
  private final StreamsApps apps;
  private final IndexTopics topics;
  private final ShippedIndexConnector shipped;
  private final Progress progress;
  private final long cells;
  private final List<Round> one = new ArrayList<>();
  private final List<Round> three = new ArrayList<>();
  private final List<Round> peer = new ArrayList<>();
  private final List<Round> tables = new ArrayList<>();

  /**
   * @param cells of the log, all of them of different rows
   */
  Backfill(
      LogServers servers,
      StreamsApps apps,
      ShippedIndexConnector shipped,
      long cells,
      Progress progress) {
    this.servers = servers;
    this.apps = apps;
    this.topics = new IndexTopics(servers);
    this.shipped = shipped;
    this.cells = cells;
    this.progress = progress;
  }

  /**
   * Runs a round of everybody; who is first in one round is last in the next.
   *
   * @param number from 1
   */
  void round(int number) throws Exception {
    progress.step("backfill, round %d".formatted(number));
    var indexes = BenchIndexes.all(100 + 2 * number);
    var alone = BenchIndexes.all(101 + 2 * number).get(0);
    topics.create(indexes);
    topics.create(List.of(alone));
    if (number % 2 == 1) {
      peer.add(passThrough(number));
    }
    one.add(indexes("one-%d".formatted(number), List.of(alone)));
    three.add(indexes("three-%d".formatted(number), indexes));
    if (number % 2 == 0) {
      peer.add(passThrough(number));
    }
    tables.add(tables(alone));
  }

  List<Result> indexes() {
    return List.of(result("one index", one), result("three indexes", three));
  }

  Result peer() {
    return result("pass-through", peer);
  }

  Result tables() {
    return result("index sink", tables);
  }

  private Round indexes(String pass, List<IndexDefinition> definitions) throws Exception {
    var written = definitions.stream().map(topics::topic).toList();
    try {
      // Every cell is an entry of each index; they are written together.
      return drain(
          pass,
          () -> apps.indexes(pass, THREADS, definitions),
          () -> written.stream().mapToLong(LogTopic::records).sum() / written.size());
    } finally {
      written.forEach(LogTopic::close);
    }
  }

  private Round passThrough(int number) throws Exception {
    var to = "bench.pass-through." + number;
    servers.createTopic(to, LogServers.PARTITIONS);
    try (var written = new LogTopic(servers.broker(), to, LogServers.PARTITIONS)) {
      return drain(
          "pass-through-" + number,
          () ->
              apps.passThrough(
                  "pass-through-" + number, THREADS, servers.topology().topics().log(), to),
          written::records);
    }
  }

  private Round tables(IndexDefinition index) throws Exception {
    var sink = new TableSink(servers, shipped, List.of(index));
    var driver = new ConnectorDriver(sink);
    driver.create("STOPPED");
    Processor.awaitQuiet(PATIENCE_SECONDS);
    var round = driver.measure(0, cells, Watcher.NONE);
    driver.rest();
    // The server counts a row when it is inserted, so the last ones may not be committed yet.
    LongFunction<DevStackException> wrong =
        count -> new DevStackException("%,d rows of %,d entries".formatted(count, cells));
    long rows =
        CountWait.whileItMoves(Duration.ofSeconds(PATIENCE_SECONDS))
            .until(cells, sink::count, wrong);
    if (rows != cells) {
      throw wrong.apply(rows);
    }
    progress.step("index sink: " + round);
    return round;
  }

  /** Starts an application, and times it from the first cell that has come through to the last. */
  private Round drain(String name, Start start, LongSupplier through) throws Exception {
    Processor.awaitQuiet(PATIENCE_SECONDS);
    var app = start.run();
    try {
      long first = await(app, 1, through);
      var clock = Processor.watch(servers.stack());
      long fifth = (cells - first) / 5;
      long begin = await(app, first + fifth, through);
      long middle = System.nanoTime();
      long end = await(app, cells - fifth, through);
      double steady = (end - begin) / ((System.nanoTime() - middle) / 1e9);
      await(app, cells, through);
      var round = clock.round(cells - first, steady);
      progress.step(name + ": " + round);
      return round;
    } finally {
      app.stop();
    }
  }

  private static long await(JavaApp app, long wanted, LongSupplier through) throws Exception {
    return CountWait.whileItMoves(STALL)
        .until(
            wanted,
            through::getAsLong,
            app::isAlive,
            now ->
                new DevStackException(
                    "%s: %,d of %,d cells came through and no more; see %s"
                        .formatted(app, now, wanted, app.log())));
  }

  private Result result(String name, List<Round> rounds) {
    return new Result(name, servers.topology().shards().count(), rounds);
  }

  /** Starts an application. */
  private interface Start {
    JavaApp run() throws Exception;
  }
}
