package io.cellmesh.bench;

import io.cellmesh.bench.FreshFigures.FreshRound;
import io.cellmesh.bench.FreshFigures.Part;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The time from the return of a cell's commit in the entity table to the moment that its entries
 * are read on the master of their shards, at a steady rate. One process writes and reads, so one
 * clock tells both times. Of the cells ten a second are watched, each in one of the indexes in
 * turn, lest the watching take the processors from what it watches.
 */
final class Freshness {
  private static final long SEED = 20260501;
  private static final int WATCHED_A_SECOND = 10;

  /** Between commits: the sink's, too, hold the cells that came meanwhile. */
  private static final Duration COMMIT_EVERY = Duration.ofMillis(10);

  private static final Duration TAIL = Duration.ofSeconds(90);
  private static final int PATIENCE_SECONDS = 8;
  private static final Duration REST = Duration.ofSeconds(3);

  private final LogServers servers;
  private final List<IndexDefinition> indexes;
  private final PacedTransactions writer;
  private final TripCells cells = new TripCells(SEED);
  private final Progress progress;

  Freshness(LogServers servers, List<IndexDefinition> indexes, Progress progress) {
    this.servers = servers;
    this.indexes = indexes;
    this.writer =
        new PacedTransactions(servers.topology(), servers.master(), COMMIT_EVERY.toNanos());
    this.progress = progress;
  }

  /**
   * Measures the whole path, which is up.
   *
   * @param rate cells a second
   */
  FreshRound measure(int rate, int seconds) throws SQLException, InterruptedException {
    int count = rate * seconds;
    int every = Math.max(1, rate / WATCHED_A_SECOND);
    var trips = new ArrayList<BenchCell>();
    var rows = new ArrayList<EntityRow>();
    for (int i = 0; i < count; i++) {
      trips.add(cells.next());
      rows.add(EntityRow.of(trips.get(i), servers.topology().shards()));
    }
    int watched = (count + every - 1) / every;
    try (var monitor = new EntryMonitor(servers.topology(), servers.master(), watched);
        var arrivals = Arrivals.from(servers, indexes)) {
      Processor.awaitQuiet(PATIENCE_SECONDS);
      var yardstick = Yardstick.measure();
      var atRest = Wakeups.over(REST, "at rest");
      var clock = Processor.watch(servers.stack());
      var wakeups = Wakeups.watch();
      var committed =
          writer.write(
              rows,
              rate,
              place -> {
                if (place % every == 0) {
                  want(monitor, place / every, trips.get(place));
                }
              });
      servers.wrote(count);
      var load = clock.round(count);
      var meanwhile = wakeups.end("meanwhile");
      var seen = monitor.await(TAIL);
      var way = new Way(seen, committed, every, trips);
      var round =
          new FreshRound(
              rateOf(committed),
              way.total(),
              way.hops(arrivals),
              atRest,
              meanwhile,
              load,
              yardstick);
      progress.step(
          "fresh at %,d cells/s: p50 %.1f ms, p99 %.1f ms, most %.1f ms (yardstick %.1f/%.1f ms)"
              .formatted(
                  rate,
                  round.percentile(50),
                  round.percentile(99),
                  round.percentile(100),
                  yardstick.p50(),
                  yardstick.p99()));
      return round;
    }
  }

  private void want(EntryMonitor monitor, int number, BenchCell trip) {
    var index = indexOf(number);
    monitor.want(number, index, BenchIndexes.shardValue(index, trip), trip.rowKey());
  }

  /** Where a watched cell is looked for. */
  private IndexDefinition indexOf(int number) {
    return indexes.get(number % indexes.size());
  }

  private static double rateOf(long[] committed) {
    long first = Arrays.stream(committed).min().orElseThrow();
    long last = Arrays.stream(committed).max().orElseThrow();
    return (committed.length - 1) / ((last - first) / 1e9);
  }

  /** The times of the watched entries. */
  private final class Way {
    private final long[] seen;
    private final long[] committed;
    private final UUID[] rowKeys;

    Way(long[] seen, long[] committed, int every, List<BenchCell> trips) {
      this.seen = seen;
      this.committed = new long[seen.length];
      this.rowKeys = new UUID[seen.length];
      for (int i = 0; i < seen.length; i++) {
        int place = i * every;
        this.committed[i] = committed[place];
        this.rowKeys[i] = trips.get(place).rowKey();
      }
    }

    long[] total() {
      return between(committed, seen);
    }

    List<Part> hops(Arrivals arrivals) {
      var logged = new long[seen.length];
      var entered = new long[seen.length];
      Map<UUID, Long> log = arrivals.log();
      var topics = indexes.stream().collect(Collectors.toMap(i -> i, arrivals::entries));
      for (int i = 0; i < seen.length; i++) {
        logged[i] = log.get(rowKeys[i]);
        entered[i] = topics.get(indexOf(i)).get(rowKeys[i]);
      }
      return List.of(
          new Part("commit to log", between(committed, logged)),
          new Part("log to index topic", between(logged, entered)),
          new Part("index topic to row", between(entered, seen)));
    }

    private static long[] between(long[] from, long[] to) {
      var nanos = new long[from.length];
      Arrays.setAll(nanos, i -> Math.max(0, to[i] - from[i]));
      return nanos;
    }
  }
}
