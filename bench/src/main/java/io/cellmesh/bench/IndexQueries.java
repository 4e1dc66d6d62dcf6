package io.cellmesh.bench;

import io.cellmesh.bench.IndexFigures.Queries;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.storage.index.IndexTable;
import io.cellmesh.storage.index.IndexTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Queries of one client, one after the other, for the twenty trips of a driver, the latest first.
 */
final class IndexQueries {
  static final int ENTRIES_A_DRIVER = 20;
  private static final int CHUNK_DRIVERS = 500;
  private static final long FIRST_TRIP = Instant.parse("2026-01-31T06:00:00Z").getEpochSecond();
  private static final String[] CITIES = {"Aarhus", "London", "Delhi", "Nairobi"};

  private final Topology topology;
  private final IndexDefinition index;
  private final Progress progress;

  /**
   * @param index {@link BenchIndexes}' first; its tables must be there and empty
   */
  IndexQueries(Topology topology, IndexDefinition index, Progress progress) {
    this.topology = topology;
    this.index = index;
    this.progress = progress;
  }

  /** Fills the index, warms up with as many queries, and measures. */
  Queries measure(int entries, int queries) throws SQLException {
    int drivers = Math.max(1, entries / ENTRIES_A_DRIVER);
    try (var pools =
        new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements())) {
      progress.step("index of %,d entries".formatted(drivers * ENTRIES_A_DRIVER));
      long begin = System.nanoTime();
      fill(pools, drivers);
      double seconds = (System.nanoTime() - begin) / 1e9;
      var reader = new IndexReader(index, topology, pools, false);
      progress.step("%,d queries".formatted(queries));
      ask(reader, drivers, queries);
      var nanos = ask(reader, drivers, queries);
      var plan = reader.explain(query(driver(0)));
      return new Queries(
          drivers * ENTRIES_A_DRIVER,
          queries,
          seconds,
          Statistics.percentile(nanos, 50) / 1e6,
          Statistics.percentile(nanos, 99) / 1e6,
          Statistics.percentile(nanos, 100) / 1e6,
          plan.server().address(),
          plan.shard(),
          plan.sql(),
          plan.mysql());
    }
  }

  private long[] ask(IndexReader reader, int drivers, int queries) throws SQLException {
    var random = new SplittableRandom(queries);
    var nanos = new long[queries];
    for (int i = 0; i < queries; i++) {
      var query = query(driver(random.nextInt(drivers)));
      long begin = System.nanoTime();
      var hits = reader.query(query);
      nanos[i] = System.nanoTime() - begin;
      if (hits.size() != ENTRIES_A_DRIVER) {
        throw new IllegalStateException(
            "%d entries instead of %d".formatted(hits.size(), ENTRIES_A_DRIVER));
      }
    }
    return nanos;
  }

  static IndexQuery query(UUID driver) {
    return IndexQuery.of(driver.toString()).orderBy("trip_created_at", true);
  }

  /** Writes the twenty entries of each driver. */
  void fill(Pools pools, int drivers) throws SQLException {
    var table = new IndexTable(topology.instance(), index);
    for (int from = 0; from < drivers; from += CHUNK_DRIVERS) {
      var shards = new TreeMap<Integer, List<IndexEntry>>();
      for (int driver = from; driver < Math.min(drivers, from + CHUNK_DRIVERS); driver++) {
        int shard = topology.shards().of(driver(driver));
        shards.computeIfAbsent(shard, s -> new ArrayList<>()).addAll(entries(driver));
      }
      for (var cluster : topology.clusters()) {
        try (var connection = pools.open(cluster.master())) {
          var transaction = new IndexTransaction();
          shards.forEach(
              (shard, rows) -> {
                if (cluster.shards().contains(shard)) {
                  transaction.add(table, shard, rows);
                }
              });
          transaction.execute(connection);
        }
      }
    }
  }

  private static List<IndexEntry> entries(int driver) {
    var random = new SplittableRandom(driver);
    var entries = new ArrayList<IndexEntry>();
    for (int trip = 0; trip < ENTRIES_A_DRIVER; trip++) {
      entries.add(
          new IndexEntry(
              new UUID(random.nextLong(), random.nextLong()),
              List.of(1L),
              List.of(
                  driver(driver).toString(),
                  CITIES[random.nextInt(CITIES.length)],
                  Instant.ofEpochSecond(FIRST_TRIP + random.nextInt(10_000_000)).toString()),
              false));
    }
    return entries;
  }

  static UUID driver(int number) {
    var random = new SplittableRandom(number * 1_000_003L);
    return new UUID(random.nextLong(), random.nextLong());
  }
}
