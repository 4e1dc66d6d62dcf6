package io.cellmesh.bench;

import io.cellmesh.devstack.MySqlServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * What the server could do at best: two threads that insert the same rows into one table, {@value
 * #ROWS} a statement and transaction, without Kafka or Connect.
 */
final class RawInserts {
  private static final String TABLE = "raw";
  private static final int ROWS = 2000;
  private static final int THREADS = 2;

  private final MySqlServer server;
  private final TripCells cells;

  RawInserts(MySqlServer server, long seed) {
    this.server = server;
    this.cells = new TripCells(seed);
    server.execute(Table.create(TABLE));
  }

  /** Inserts so many cells; they are made before the clock starts. */
  Round measure(long count) throws Exception {
    var batches = new ArrayList<List<List<BenchCell>>>();
    for (int thread = 0; thread < THREADS; thread++) {
      batches.add(batches(count / THREADS));
    }
    Processor.awaitQuiet();
    var threads = Executors.newFixedThreadPool(THREADS);
    try {
      var clock = Processor.watch(server);
      List<Callable<Void>> works =
          batches.stream().map(list -> (Callable<Void>) () -> insert(list)).toList();
      for (var result : threads.invokeAll(works)) {
        result.get();
      }
      return clock.round(count / THREADS * THREADS);
    } catch (ExecutionException e) {
      throw new SQLException("raw inserts failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private List<List<BenchCell>> batches(long count) {
    var batches = new ArrayList<List<BenchCell>>();
    for (long left = count; left > 0; left -= ROWS) {
      var batch = new ArrayList<BenchCell>();
      for (long i = 0; i < Math.min(left, ROWS); i++) {
        batch.add(cells.next());
      }
      batches.add(batch);
    }
    return batches;
  }

  private Void insert(List<List<BenchCell>> batches) throws SQLException {
    try (var connection = DriverManager.getConnection(PeerSink.url(server), "bench", "bench");
        var insert =
            connection.prepareStatement(
                "INSERT INTO "
                    + TABLE
                    + " (row_key, column_name, ref_key, body) VALUES (?,?,?,?)")) {
      connection.setAutoCommit(false);
      for (var batch : batches) {
        for (var cell : batch) {
          insert.setString(1, cell.rowKey().toString());
          insert.setString(2, cell.columnName());
          insert.setLong(3, cell.refKey());
          insert.setString(4, cell.body());
          insert.addBatch();
        }
        insert.executeBatch();
        connection.commit();
      }
      return null;
    }
  }
}
