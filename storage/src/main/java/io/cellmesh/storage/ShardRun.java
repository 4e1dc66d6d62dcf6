package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Does something for each of many shards of one server, over all connections that its pool has: a
 * DDL statement waits for disks most of its time, and statements that wait together are written
 * together.
 */
public final class ShardRun {
  private static final long LONGEST_STATEMENT_SECONDS = 60;

  private ShardRun() {}

  /** What is done for one shard. */
  @FunctionalInterface
  public interface ShardWork {
    void run(Connection connection, int shard) throws SQLException;
  }

  /**
   * Returns when all is done. After a failure nothing new is begun, and what the first one threw is
   * thrown here.
   */
  public static void run(Pools pools, Server server, Collection<Integer> shards, ShardWork work)
      throws SQLException {
    var left = new ConcurrentLinkedQueue<>(shards);
    int connections = Math.min(pools.size(), shards.size());
    if (connections == 0) {
      return;
    }
    var threads = Executors.newFixedThreadPool(connections);
    var unopened = new ConcurrentLinkedQueue<SQLException>();
    try {
      await(threads, connections, () -> takeFrom(left, pools, server, work, unopened));
      if (!left.isEmpty()) {
        rethrow(unopened.element());
      }
    } finally {
      left.clear();
      end(threads);
    }
  }

  /** What is under way is waited for, so that nothing happens after the call. */
  private static void end(ExecutorService threads) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(LONGEST_STATEMENT_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static Void takeFrom(
      ConcurrentLinkedQueue<Integer> left,
      Pools pools,
      Server server,
      ShardWork work,
      Collection<SQLException> unopened)
      throws SQLException {
    Connection open;
    try {
      open = pools.open(server);
    } catch (SQLException e) {
      // A server that is busy gives some connections late; those that are open do the work.
      unopened.add(e);
      return null;
    }
    try (var connection = open) {
      for (var shard = left.poll(); shard != null; shard = left.poll()) {
        work.run(connection, shard);
      }
      return null;
    } catch (SQLException | RuntimeException e) {
      left.clear();
      throw e;
    }
  }

  private static void await(ExecutorService threads, int count, Callable<Void> task)
      throws SQLException {
    var results = new ArrayList<Future<Void>>();
    for (int i = 0; i < count; i++) {
      results.add(threads.submit(task));
    }
    for (var result : results) {
      try {
        result.get();
      } catch (ExecutionException e) {
        rethrow(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLException("interrupted", e);
      }
    }
  }

  private static void rethrow(Throwable cause) throws SQLException {
    if (cause instanceof SQLException e) {
      throw new SQLException(e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    throw new IllegalStateException(cause);
  }
}
