package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Asks the peer's table every millisecond which rows are new, and notes when each was seen. */
final class RowMonitor implements MeshWay.Landing {
  private static final long PAUSE_NANOS = 900_000;

  /** So many rows beyond one that is missing: its transaction was rolled back. */
  private static final int MISSED = 20_000;

  private static final CountWait SEEN =
      CountWait.atMost(Duration.ofSeconds(30), Duration.ofMillis(2));

  private final Connection server;
  private final Thread thread = new Thread(this::run, "bench-rows");
  private final Map<UUID, Long> seen = new HashMap<>();

  /** Ids above {@link #below}: tasks take theirs before they commit. */
  private final TreeSet<Long> beyond = new TreeSet<>();

  private long below;
  private volatile SQLException failure;

  private RowMonitor(Connection server) throws SQLException {
    this.server = server;
    try (var statement = server.createStatement()) {
      this.below =
          OurSink.number(statement, "SELECT COALESCE(MAX(id), 0) FROM " + PeerSink.table());
    }
  }

  /** Begins with the rows that are not there yet. */
  static RowMonitor start(MySqlServer server) throws SQLException {
    var monitor = new RowMonitor(DriverManager.getConnection(PositionMonitor.url(server)));
    monitor.thread.setDaemon(true);
    monitor.thread.start();
    return monitor;
  }

  @Override
  public long at(UUID rowKey) throws SQLException, InterruptedException {
    SEEN.until(
        1,
        () -> seenAt(rowKey) == null ? 0 : 1,
        none -> new DevStackException("row " + rowKey + " was never seen", failure));
    return seenAt(rowKey);
  }

  private synchronized Long seenAt(UUID rowKey) {
    return seen.get(rowKey);
  }

  @Override
  public void close() {
    thread.interrupt();
    Pause.untilEnded(thread);
    try {
      server.close();
    } catch (SQLException e) {
      // It was only read from.
    }
  }

  private void run() {
    var query = "SELECT id, row_key FROM " + PeerSink.table() + " WHERE id > ?";
    try (var statement = server.prepareStatement(query)) {
      while (!Thread.interrupted()) {
        statement.setLong(1, below);
        try (var rows = statement.executeQuery()) {
          note(rows, System.nanoTime());
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (SQLException e) {
      failure = e;
    }
  }

  private synchronized void note(ResultSet rows, long now) throws SQLException {
    while (rows.next()) {
      if (beyond.add(rows.getLong(1))) {
        seen.put(UUID.fromString(rows.getString(2)), now);
      }
    }
    if (beyond.size() > MISSED) {
      below = beyond.first() - 1;
    }
    while (beyond.remove(below + 1)) {
      below++;
    }
  }
}
