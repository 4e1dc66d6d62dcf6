package io.cellmesh.storage;

import io.cellmesh.storage.NodeUnavailableException.Why;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps callers from what is known not to work: opens at the first failure, and only a probe in the
 * background closes it. A probe that succeeds although the next call fails again comes later each
 * time, up to {@value #LONGEST_MILLIS} ms. Thread-safe.
 */
final class Breaker {
  private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
  private static final long PROBE_MILLIS = 500;
  private static final int LONGEST_MILLIS = 8_000;

  private final String name;
  private final String ability;
  private final Probe probe;
  private final ScheduledExecutorService probes;
  private final CircuitBreaker breaker;
  private final AtomicBoolean suspected = new AtomicBoolean();

  /** How often it was closed and opened again without a call that succeeded. */
  private final AtomicInteger inVain = new AtomicInteger();

  /**
   * @param name of the server
   * @param ability what the server can do while the breaker is closed, after its name
   * @param opens the reason that opens it
   * @param probe whether the server has the ability again
   */
  Breaker(String name, String ability, Why opens, Probe probe, ScheduledExecutorService probes) {
    this.name = name;
    this.ability = ability;
    this.probe = probe;
    this.probes = probes;
    var config =
        CircuitBreakerConfig.custom()
            .slidingWindowSize(1)
            .minimumNumberOfCalls(1)
            .failureRateThreshold(100)
            .waitDurationInOpenState(Duration.ofDays(365))
            .recordException(e -> e instanceof NodeUnavailableException gone && gone.why() == opens)
            .build();
    this.breaker = CircuitBreaker.of(name + " " + ability, config);
    breaker
        .getEventPublisher()
        .onSuccess(success -> inVain.set(0))
        .onStateTransition(
            event -> {
              if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
                LOG.warn("{} is left alone until it {} again", name, ability);
                probeLater();
              }
            });
  }

  /** Asks a server. */
  @FunctionalInterface
  interface Probe {
    boolean succeeds() throws SQLException;
  }

  boolean closed() {
    return breaker.getState() == CircuitBreaker.State.CLOSED;
  }

  /**
   * Calls, unless it is open.
   *
   * @throws CallNotPermittedException if it is
   */
  <T> T call(Callable<T> work) throws Exception {
    return breaker.executeCallable(work);
  }

  /** Opens it, with a probe at once. */
  void suspect() {
    if (closed()) {
      suspected.set(true);
      breaker.transitionToOpenState();
    }
  }

  private void probeLater() {
    long delay =
        suspected.getAndSet(false)
            ? 0
            : Math.min(LONGEST_MILLIS, PROBE_MILLIS << Math.min(inVain.get(), 4));
    try {
      probes.schedule(this::probe, delay, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("{}: no more probes, everything is being closed", name);
    }
  }

  private void probe() {
    try {
      if (probe.succeeds()) {
        LOG.info("{} {} again", name, ability);
        inVain.incrementAndGet();
        breaker.transitionToClosedState();
        return;
      }
    } catch (SQLException | RuntimeException | Error e) {
      // Whatever it is: without a next probe the server would be left alone for ever.
      LOG.debug("{} still does not: {}", name, e.getMessage());
    }
    probeLater();
  }
}
