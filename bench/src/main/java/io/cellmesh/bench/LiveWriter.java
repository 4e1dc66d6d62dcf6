package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Writes cells in transactions of one, each at its time, over several connections: one may wait for
 * its commit while the next has to go. A shard's cells go over the same one, so that ids rise from
 * commit to commit.
 */
final class LiveWriter {
  private static final int CONNECTIONS = 8;

  private final Topology topology;
  private final MySqlServer master;

  LiveWriter(Topology topology, MySqlServer master) {
    this.topology = topology;
    this.master = master;
  }

  /**
   * Returns when all are committed.
   *
   * @param rate cells a second, or as many as can be if that is less
   * @return by cell, the moment that its commit returned, in nanoTime
   */
  long[] write(List<EntityRow> rows, int rate) throws SQLException, InterruptedException {
    var committed = new long[rows.size()];
    var threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      long start = System.nanoTime() + 200_000_000L;
      var works = new ArrayList<Callable<Void>>();
      for (int connection = 0; connection < CONNECTIONS; connection++) {
        int one = connection;
        works.add(() -> write(one, rows, start, rate, committed));
      }
      for (var result : threads.invokeAll(works)) {
        result.get();
      }
      return committed;
    } catch (ExecutionException e) {
      throw new SQLException("single cells could not be written", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Void write(int connection, List<EntityRow> rows, long start, int rate, long[] committed)
      throws SQLException, InterruptedException {
    try (var inserts = new EntityInserts(topology, master)) {
      for (int i = 0; i < committed.length; i++) {
        var row = rows.get(i);
        if (row.shard() % CONNECTIONS == connection) {
          Pause.until(start + i * 1_000_000_000L / rate);
          inserts.insert(row);
          committed[i] = System.nanoTime();
        }
      }
    }
    return null;
  }
}
