package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks a master for its positions every millisecond, as cheaply as MySQL allows, and notes when
 * they moved.
 */
final class PositionMonitor implements AutoCloseable {
  private static final long PAUSE_NANOS = 900_000;
  private static final int MOST_PAUSES = 1 << 20;

  private final Connection master;
  private final String query;
  private final Thread thread;
  private final Map<Integer, NavigableMap<Long, Long>> moves = new HashMap<>();
  private final long[] pauses = new long[MOST_PAUSES];
  private int asked;
  private volatile SQLException failure;

  private PositionMonitor(Connection master, String query, String name) {
    this.master = master;
    this.query = query;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  static PositionMonitor start(OurSink sink, int owner) throws SQLException {
    return start(sink, owner, OurSink.CELLS);
  }

  /**
   * @param topic whose positions, as {@link OurSink#positionQuery} has it
   */
  static PositionMonitor start(OurSink sink, int owner, String topic) throws SQLException {
    var monitor =
        new PositionMonitor(
            DriverManager.getConnection(url(sink.master(owner))),
            sink.positionQuery(topic),
            "bench-positions-" + owner);
    monitor.thread.start();
    return monitor;
  }

  /** The cheapest way to ask a server the same over and over. */
  static String url(MySqlServer server) {
    return "jdbc:mysql://%s:%d/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&useServerPrepStmts=true"
        .formatted(server.host(), server.port());
  }

  /** Whether the position of a partition has been seen above an offset. */
  synchronized boolean hasPassed(int partition, long offset) {
    return moves.getOrDefault(partition, new TreeMap<>()).higherEntry(offset) != null;
  }

  /** When the position of a partition was first seen above an offset, in nanoTime. */
  synchronized long passed(int partition, long offset) {
    var above = moves.getOrDefault(partition, new TreeMap<>()).higherEntry(offset);
    if (above == null) {
      throw new DevStackException(
          "the position of partition %d never passed offset %d".formatted(partition, offset));
    }
    return above.getValue();
  }

  /** Nanoseconds between the answers. */
  synchronized long[] pauses() {
    return java.util.Arrays.copyOf(pauses, Math.min(asked, MOST_PAUSES));
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
      master.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      // It was only read from.
    }
    if (failure != null) {
      throw new DevStackException("a master's positions could not be read", failure);
    }
  }

  private void run() {
    long last = System.nanoTime();
    try (var statement = master.prepareStatement(query)) {
      while (!Thread.interrupted()) {
        try (var rows = statement.executeQuery()) {
          long now = System.nanoTime();
          note(OurSink.positions(rows), now, now - last);
          last = now;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (SQLException e) {
      failure = e;
    }
  }

  private synchronized void note(Map<Integer, Long> positions, long now, long pause) {
    if (asked < MOST_PAUSES) {
      pauses[asked++] = pause;
    }
    positions.forEach(
        (partition, position) ->
            moves.computeIfAbsent(partition, p -> new TreeMap<>()).putIfAbsent(position, now));
  }
}
