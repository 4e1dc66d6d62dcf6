package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Writes cells as the sink does: over one connection, every so often a transaction of all the cells
 * whose time has come.
 */
final class PacedTransactions {
  private final Topology topology;
  private final MySqlServer master;
  private final long every;

  /**
   * @param every nanoseconds from one transaction to the next, if they do not take longer
   */
  PacedTransactions(Topology topology, MySqlServer master, long every) {
    this.topology = topology;
    this.master = master;
    this.every = every;
  }

  /**
   * Returns when all are committed.
   *
   * @param rate cells a second
   * @param then told of each cell's place when it is committed
   * @return by cell, the moment that its commit returned, in nanoTime
   */
  long[] write(List<EntityRow> rows, int rate, IntConsumer then)
      throws SQLException, InterruptedException {
    var committed = new long[rows.size()];
    long start = System.nanoTime();
    try (var inserts = new EntityInserts(topology, master)) {
      int from = 0;
      for (long turn = start + every; from < committed.length; turn += every) {
        Pause.until(turn);
        int to = (int) Math.min(committed.length, (turn - start) * rate / 1_000_000_000L);
        if (to > from) {
          inserts.insert(rows.subList(from, to));
          Arrays.fill(committed, from, to, System.nanoTime());
          for (; from < to; from++) {
            then.accept(from);
          }
        }
      }
    }
    return committed;
  }
}
