package io.cellmesh.connect.source;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a server again and again how far it is, in a thread of its own, so that one that hangs
 * delays nobody.
 */
final class ServerMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerMonitor.class);

  private final BinlogServer server;
  private final Consumer<ServerState> listener;
  private final Link link;
  private final AskingPace pace = new AskingPace();
  private final Semaphore nudges = new Semaphore(0);
  private final Thread thread;
  private volatile ServerState state;
  private volatile boolean closed;

  /** What else is done with the connection, each time that the server has answered. */
  interface Link {
    void answered(Connection connection) throws SQLException;
  }

  /**
   * @param listener told every answer and every silence, in the monitor's thread
   */
  ServerMonitor(BinlogServer server, Consumer<ServerState> listener, Link link) {
    this.server = server;
    this.listener = listener;
    this.link = link;
    this.thread = new Thread(this::run, "cellmesh-server-monitor-" + server.address());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  BinlogServer server() {
    return server;
  }

  /** Empty until the first attempt has ended. */
  Optional<ServerState> state() {
    return Optional.ofNullable(state);
  }

  /** Asks at once. */
  void nudge() {
    nudges.release();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    Connection connection = null;
    try {
      while (!closed) {
        long at = System.nanoTime();
        try {
          if (connection == null) {
            connection = server.connect();
          }
          var answer = BinlogServer.ask(connection);
          link.answered(connection);
          publish(ServerState.answered(server.server(), server.listedMaster(), at, answer));
        } catch (SQLException | RuntimeException | OutOfMemoryError e) {
          // Memory that is short for a moment is no reason to ask this server no more.
          LOG.debug("{} does not answer", server.address(), e);
          close(connection);
          connection = null;
          publish(
              ServerState.silent(
                  server.server(),
                  server.listedMaster(),
                  at,
                  ConnectionLoss.explain(e, server.user()),
                  ConnectionLoss.isRefusal(e)));
        }
        pause(pace.after(state));
      }
    } catch (InterruptedException e) {
      LOG.debug("No longer watching {}", server.address());
    } finally {
      close(connection);
    }
  }

  private void publish(ServerState next) {
    state = next.after(state());
    listener.accept(state);
  }

  private void pause(Duration time) throws InterruptedException {
    if (nudges.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
      nudges.drainPermits();
    }
  }

  private static void close(Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      LOG.debug("While closing a connection", e);
    }
  }
}
