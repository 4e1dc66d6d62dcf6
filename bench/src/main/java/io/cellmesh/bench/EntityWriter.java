package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Writes a backlog of cells: two threads, each with half of the shards to itself, so that within a
 * shard ids rise from commit to commit as they do under the sink.
 */
final class EntityWriter {
  private static final int THREADS = 2;

  /** What the sink commits at once when it is busy. */
  private static final int TRANSACTION = 2000;

  private final Topology topology;
  private final MySqlServer master;
  private final List<TripCells> cells = new ArrayList<>();

  EntityWriter(Topology topology, MySqlServer master, long seed) {
    this.topology = topology;
    this.master = master;
    for (int thread = 0; thread < THREADS; thread++) {
      cells.add(new TripCells(seed + thread));
    }
  }

  /** Returns once so many more cells are committed. */
  void write(long count) throws SQLException, InterruptedException {
    var threads = Executors.newFixedThreadPool(THREADS);
    try {
      var works = new ArrayList<Callable<Void>>();
      for (int thread = 0; thread < THREADS; thread++) {
        int one = thread;
        long part = count / THREADS + (thread < count % THREADS ? 1 : 0);
        works.add(() -> write(one, part));
      }
      for (var result : threads.invokeAll(works)) {
        result.get();
      }
    } catch (ExecutionException e) {
      throw new SQLException("the backlog could not be written", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Void write(int thread, long count) throws SQLException {
    try (var inserts = new EntityInserts(topology, master)) {
      for (long left = count; left > 0; left -= TRANSACTION) {
        var rows = new ArrayList<EntityRow>();
        for (long i = 0; i < Math.min(left, TRANSACTION); i++) {
          var cell = cells.get(thread).next(rowKey -> isOf(thread, rowKey));
          rows.add(EntityRow.of(cell, topology.shards()));
        }
        inserts.insert(rows);
      }
    }
    return null;
  }

  private boolean isOf(int thread, UUID rowKey) {
    return topology.shards().of(rowKey) % THREADS == thread;
  }
}
