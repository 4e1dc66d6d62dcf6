package io.cellmesh.bench;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Asks the master for entries again and again until they are there, in statements that look for a
 * few of the missing ones by their primary keys. It rests at least twice as long as it asked, lest
 * a path that has fallen behind be held there by the questions about it.
 */
final class EntryMonitor implements AutoCloseable {
  private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(500);

  /** With nothing to look for it waits to be told; this is for the end. */
  private static final long IDLE = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int ASKED_AT_ONCE = 30;

  private final Topology topology;
  private final Connection connection;
  private final long[] seen;
  private final CountDownLatch missing;
  private final ConcurrentLinkedQueue<Wanted> queue = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::run, "bench-entry-monitor");
  private volatile SQLException failure;
  private volatile boolean closing;

  /**
   * @param entries how many will be wanted, numbered from 0
   */
  EntryMonitor(Topology topology, MySqlServer master, int entries) throws SQLException {
    this.topology = topology;
    this.connection = master.connect();
    this.seen = new long[entries];
    this.missing = new CountDownLatch(entries);
    thread.setDaemon(true);
    thread.start();
  }

  private record Wanted(int number, String sql) {}

  /** Looks for an entry from now on. */
  void want(int number, IndexDefinition index, String shardValue, UUID rowKey) {
    queue.add(new Wanted(number, select(number, index, shardValue, rowKey)));
    LockSupport.unpark(thread);
  }

  /**
   * Waits for all of them.
   *
   * @return by number, when the answer that had it was there, in nanoTime
   */
  long[] await(Duration patience) throws InterruptedException {
    boolean complete = missing.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (failure != null) {
      throw new DevStackException("the entries could not be asked for", failure);
    }
    if (!complete) {
      throw new DevStackException(
          "%,d of %,d entries had not come %d s after the last commit"
              .formatted(missing.getCount(), seen.length, patience.toSeconds()));
    }
    return seen;
  }

  @Override
  public void close() throws SQLException {
    closing = true;
    Pause.untilEnded(thread);
    connection.close();
  }

  private void run() {
    var open = new ArrayDeque<Wanted>();
    try {
      while (!closing) {
        for (var next = queue.poll(); next != null; next = queue.poll()) {
          open.add(next);
        }
        if (open.isEmpty()) {
          LockSupport.parkNanos(IDLE);
        } else {
          long begin = System.nanoTime();
          ask(open);
          LockSupport.parkNanos(Math.max(PAUSE, 2 * (System.nanoTime() - begin)));
        }
      }
    } catch (SQLException e) {
      failure = e;
    }
  }

  /** Those that are not there yet go to the end of the queue. */
  private void ask(Deque<Wanted> open) throws SQLException {
    var asked = new LinkedHashMap<Integer, Wanted>();
    while (asked.size() < ASKED_AT_ONCE && !open.isEmpty()) {
      var next = open.poll();
      asked.put(next.number(), next);
    }
    var sql = asked.values().stream().map(Wanted::sql).collect(Collectors.joining(" UNION ALL "));
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      long now = System.nanoTime();
      while (rows.next()) {
        seen[rows.getInt(1)] = now;
        asked.remove(rows.getInt(1));
        missing.countDown();
      }
    }
    open.addAll(asked.values());
  }

  private String select(int number, IndexDefinition index, String shardValue, UUID rowKey) {
    var shardField = index.shardField();
    var value =
        shardField.type() == FieldType.UUID
            ? hex(UUID.fromString(shardValue))
            : "_utf8mb4 x'"
                + HexFormat.of().formatHex(shardValue.getBytes(StandardCharsets.UTF_8))
                + "'";
    return "SELECT %d FROM `%s`.`%s` WHERE `%s` = %s AND row_key = %s"
        .formatted(
            number,
            Names.database(topology.instance(), topology.shards().of(shardValue)),
            index.tableName(),
            shardField.name(),
            value,
            hex(rowKey));
  }

  private static String hex(UUID uuid) {
    return "x'" + uuid.toString().replace("-", "") + "'";
  }
}
