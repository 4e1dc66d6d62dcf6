package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;

/** The rows that are asked for, each of five cells. */
final class WorkerRows {
  static final int COUNT = 20_000;
  static final int CELLS_A_ROW = 5;

  private static final int CHUNK_ROWS = 500;

  /** Column and ref_key of a row's cells; the latest of BASE is the second. */
  private static final List<BenchCell> SHAPE =
      List.of(
          new BenchCell(null, "BASE", 1, null),
          new BenchCell(null, "BASE", 2, null),
          new BenchCell(null, "FARE", 1, null),
          new BenchCell(null, "NOTES", 1, null),
          new BenchCell(null, "STATUS", 1, null));

  private WorkerRows() {}

  static UUID row(int number) {
    var random = new SplittableRandom(7_000_000_000L + number % COUNT);
    long high = random.nextLong() & 0xffffffffffff0fffL | 0x4000L;
    return new UUID(high, random.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L);
  }

  /**
   * Writes them into the entity tables.
   *
   * @param masters by the place of their cluster in the topology
   */
  static void write(Topology topology, IntFunction<MySqlServer> masters) throws SQLException {
    var clusters = topology.clusters();
    var bodies = new TripCells(20260601);
    var chunks = new ArrayList<List<EntityRow>>();
    var inserts = new ArrayList<EntityInserts>();
    try {
      for (int owner = 0; owner < clusters.size(); owner++) {
        inserts.add(new EntityInserts(topology, masters.apply(owner)));
        chunks.add(new ArrayList<>());
      }
      for (int number = 0; number < COUNT; number++) {
        var row = row(number);
        int owner = clusters.indexOf(topology.clusterOf(topology.shards().of(row)));
        for (var cell : SHAPE) {
          var whole = new BenchCell(row, cell.columnName(), cell.refKey(), bodies.next().body());
          chunks.get(owner).add(EntityRow.of(whole, topology.shards()));
        }
        if (chunks.get(owner).size() >= CHUNK_ROWS * CELLS_A_ROW) {
          insert(inserts.get(owner), chunks.get(owner));
        }
      }
      for (int owner = 0; owner < clusters.size(); owner++) {
        insert(inserts.get(owner), chunks.get(owner));
      }
    } finally {
      for (var insert : inserts) {
        insert.close();
      }
    }
  }

  private static void insert(EntityInserts inserts, List<EntityRow> rows) throws SQLException {
    if (!rows.isEmpty()) {
      inserts.insert(rows);
      rows.clear();
    }
  }
}
