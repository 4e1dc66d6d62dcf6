package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One MySQL server behind a circuit breaker: after a lost connection it is left alone, so that a
 * dead server costs its callers no more than one timeout, until a probe in the background finds it
 * back. Thread-safe.
 */
public final class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final long PROBE_MILLIS = 500;

  /** Opens on the first loss; only the probe closes it. */
  private static final CircuitBreakerConfig BREAKER =
      CircuitBreakerConfig.custom()
          .slidingWindowSize(1)
          .minimumNumberOfCalls(1)
          .failureRateThreshold(100)
          .waitDurationInOpenState(Duration.ofDays(365))
          .recordException(NodeUnavailableException.class::isInstance)
          .build();

  private final Server server;
  private final Pools pools;
  private final ScheduledExecutorService probes;
  private final CircuitBreaker breaker;
  private final AtomicBoolean suspected = new AtomicBoolean();

  Node(Server server, Pools pools, ScheduledExecutorService probes) {
    this.server = server;
    this.pools = pools;
    this.probes = probes;
    this.breaker = CircuitBreaker.of(server.address(), BREAKER);
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> {
              if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
                LOG.warn("{} is left alone until it answers again", server.address());
                probeLater();
              }
            });
  }

  public Server server() {
    return server;
  }

  /** Whether the last word from the server was a good one. */
  public boolean healthy() {
    return breaker.getState() == CircuitBreaker.State.CLOSED;
  }

  /**
   * Runs work on a connection of its own, in auto-commit mode.
   *
   * @throws NodeUnavailableException if the server is gone or left alone just now
   * @throws SQLException for everything else that MySQL refuses
   */
  public <T> T call(Work<T> work) throws SQLException, NodeUnavailableException {
    try {
      return breaker.executeCallable(() -> run(work));
    } catch (CallNotPermittedException e) {
      throw new NodeUnavailableException(server, "left alone until it answers again", e);
    } catch (SQLException | NodeUnavailableException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * As {@link #call(Work)}, with a shorter patience than the pool's socket timeout.
   *
   * @param answer longest wait for the answer to a statement
   */
  public <T> T call(Duration answer, Work<T> work) throws SQLException, NodeUnavailableException {
    return call(
        connection -> {
          connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answer.toMillis()));
          return work.run(connection);
        });
  }

  /**
   * Runs work in a transaction, which is rolled back if the work throws. The pool sets auto-commit
   * again when the connection comes back to it.
   *
   * @throws NodeUnavailableException as {@link #call}; the transaction may have been committed if
   *     the connection was lost on the commit itself
   */
  public <T> T transact(Work<T> work) throws SQLException, NodeUnavailableException {
    return call(
        connection -> {
          connection.setAutoCommit(false);
          try {
            T result = work.run(connection);
            connection.commit();
            return result;
          } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
          }
        });
  }

  /**
   * Somebody's patience with the server is over: it is left alone until a probe, which is sent at
   * once, is answered. So one that hangs costs nobody else a wait, and one that is only slow, or
   * waits for a lock, is back within milliseconds.
   */
  public void suspect() {
    if (healthy()) {
      suspected.set(true);
      breaker.transitionToOpenState();
    }
  }

  private <T> T run(Work<T> work) throws SQLException, NodeUnavailableException {
    try (var connection = pools.open(server)) {
      return work.run(connection);
    } catch (SQLException e) {
      if (MySqlErrors.verdict(e) == MySqlErrors.Verdict.UNAVAILABLE) {
        throw new NodeUnavailableException(
            server, String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
      }
      throw e;
    }
  }

  private static void rollback(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private void probeLater() {
    try {
      long delay = suspected.getAndSet(false) ? 0 : PROBE_MILLIS;
      probes.schedule(this::probe, delay, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("{}: no more probes, everything is being closed", server.address());
    }
  }

  private void probe() {
    try (var connection = pools.open(server);
        var ping = connection.prepareStatement("SELECT 1")) {
      ping.execute();
      LOG.info("{} answers again", server.address());
      breaker.transitionToClosedState();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("{} still does not answer: {}", server.address(), e.getMessage());
      probeLater();
    }
  }

  /** Something to do on a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }
}
