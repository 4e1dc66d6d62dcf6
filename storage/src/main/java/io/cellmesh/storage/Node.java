package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.NodeUnavailableException.Why;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;

/**
 * One MySQL server behind two circuit breakers. After a lost connection it is left alone, so that a
 * dead server costs its callers no more than one timeout, until a probe in the background finds it
 * back. One that answers and takes no writes, as a master that was restarted, is left alone by
 * those who write; readers go on. Thread-safe.
 */
public final class Node {
  /** How often work is run that may be repeated, where locks or a time limit are in the way. */
  private static final int ATTEMPTS = 3;

  private final Server server;
  private final Pools pools;
  private final Breaker answers;
  private final Breaker writes;

  Node(Server server, Pools pools, ScheduledExecutorService probes) {
    this.server = server;
    this.pools = pools;
    this.answers = new Breaker(server.address(), "answers", Why.GONE, this::answers, probes);
    this.writes =
        new Breaker(
            server.address(), "takes writes", Why.WRITES_NOTHING, this::takesWrites, probes);
  }

  public Server server() {
    return server;
  }

  /** Whether the last word from the server was a good one. */
  public boolean healthy() {
    return answers.closed();
  }

  /** Whether it is healthy, and did not refuse the last write because it takes none. */
  public boolean writable() {
    return healthy() && writes.closed();
  }

  /**
   * Runs work on a connection of its own, in auto-commit mode. A connection that is not known to be
   * clean afterwards, as one with an open transaction, is closed.
   *
   * @throws NodeUnavailableException if the server is gone or left alone just now
   * @throws SQLException for everything else that MySQL refuses
   */
  public <T> T call(ConnectionCallback<T> work) throws SQLException, NodeUnavailableException {
    return through(answers, () -> run(work));
  }

  /**
   * As {@link #call(ConnectionCallback)}, with a shorter patience than the pool's socket timeout.
   *
   * @param answer longest wait for the answer to a statement
   */
  public <T> T call(Duration answer, ConnectionCallback<T> work)
      throws SQLException, NodeUnavailableException {
    return call(within(answer, work));
  }

  /**
   * As {@link #call(ConnectionCallback)}, for work that may be repeated, as a read: where locks or
   * a time limit are in the way it is run again, up to {@value #ATTEMPTS} times in all.
   *
   * @throws NodeUnavailableException also if they stayed in the way; nobody else is kept from the
   *     server then
   */
  public <T> T read(ConnectionCallback<T> work) throws SQLException, NodeUnavailableException {
    return repeat(() -> call(work));
  }

  /**
   * As {@link #read(ConnectionCallback)}, with a shorter patience than the pool's socket timeout.
   */
  public <T> T read(Duration answer, ConnectionCallback<T> work)
      throws SQLException, NodeUnavailableException {
    return read(within(answer, work));
  }

  /**
   * As {@link #read(ConnectionCallback)}, for work that writes: one statement, or a transaction
   * that it rolls back itself when it fails.
   *
   * @throws NodeUnavailableException also if the server takes no writes
   */
  public <T> T write(ConnectionCallback<T> work) throws SQLException, NodeUnavailableException {
    return repeat(() -> through(writes, () -> call(work)));
  }

  /**
   * As {@link #write(ConnectionCallback)}, with a shorter patience than the pool's socket timeout.
   */
  public <T> T write(Duration answer, ConnectionCallback<T> work)
      throws SQLException, NodeUnavailableException {
    return write(within(answer, work));
  }

  /**
   * Somebody's patience with the server is over: it is left alone until a probe, which is sent at
   * once, is answered. So one that hangs costs nobody else a wait, and one that is only slow, or
   * waits for a lock, is back within milliseconds.
   */
  public void suspect() {
    answers.suspect();
  }

  private <T> T repeat(Call<T> call) throws SQLException, NodeUnavailableException {
    for (int attempt = 1; ; attempt++) {
      try {
        return call.run();
      } catch (SQLException e) {
        if (MySqlErrors.verdict(e) != MySqlErrors.Verdict.CONTENTION) {
          throw e;
        }
        if (attempt == ATTEMPTS) {
          throw new NodeUnavailableException(server, Why.BUSY, MySqlErrors.explain(e), e);
        }
      }
    }
  }

  private <T> T through(Breaker breaker, Callable<T> work)
      throws SQLException, NodeUnavailableException {
    try {
      return breaker.call(work);
    } catch (CallNotPermittedException e) {
      var why = breaker == writes ? Why.WRITES_NOTHING : Why.GONE;
      var until = breaker == writes ? "takes writes" : "answers";
      throw new NodeUnavailableException(server, why, "left alone until it " + until + " again", e);
    } catch (SQLException | NodeUnavailableException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T run(ConnectionCallback<T> work) throws SQLException, NodeUnavailableException {
    try {
      return pools.use(server, work);
    } catch (PoolFullException e) {
      throw new NodeUnavailableException(server, Why.BUSY, e.getMessage(), e);
    } catch (SQLException e) {
      if (MySqlErrors.verdict(e) == MySqlErrors.Verdict.UNAVAILABLE) {
        throw new NodeUnavailableException(
            server,
            MySqlErrors.refusesWrites(e) ? Why.WRITES_NOTHING : Why.GONE,
            String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
            e);
      }
      throw e;
    }
  }

  private static <T> ConnectionCallback<T> within(Duration answer, ConnectionCallback<T> work) {
    return connection -> {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answer.toMillis()));
      return work.run(connection);
    };
  }

  private boolean answers() throws SQLException {
    return pools.use(server, connection -> asked(connection, "SELECT 1"));
  }

  private boolean takesWrites() throws SQLException {
    return pools.use(
        server,
        connection ->
            asked(
                connection,
                "SELECT NOT (@@GLOBAL.read_only OR @@GLOBAL.super_read_only OR @@GLOBAL.innodb_read_only)"));
  }

  private static boolean asked(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private interface Call<T> {
    T run() throws SQLException, NodeUnavailableException;
  }
}
