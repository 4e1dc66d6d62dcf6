package io.cellmesh.herb;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one instance, with its proof. Others take their place when its files say so: those
 * that were before end first, since both are the same group to the peer, and nobody else waits for
 * them.
 *
 * <p>For one thread at a time.
 */
final class InstanceLinks {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceLinks.class);

  private final String instance;
  private final Function<Ends, InstanceParts> made;
  private final OriginServers servers;
  private final Executor changes;
  private Optional<Ends> ends = Optional.empty();
  private InstanceParts parts = InstanceParts.NONE;
  private String fault = "";
  private CompletableFuture<Void> change = CompletableFuture.completedFuture(null);

  /**
   * @param made makes parts that have not started
   * @param servers where peers may read its log
   * @param changes where it waits for parts that end
   */
  InstanceLinks(
      String instance,
      Function<Ends, InstanceParts> made,
      OriginServers servers,
      Executor changes) {
    this.instance = instance;
    this.made = made;
    this.servers = servers;
    this.changes = changes;
  }

  /**
   * Runs links between these ends, and lets peers read here; leaves those alone that do already.
   * What can't be done is told, tried again when it is asked for again, and keeps nothing else from
   * being done.
   */
  void become(Ends wanted) {
    var faults = attempt(() -> link(wanted)).concat(attempt(() -> servers.serve(wanted)));
    told(faults.strip());
  }

  private static String attempt(Runnable what) {
    try {
      what.run();
      return "";
    } catch (RuntimeException e) {
      return CohortPlan.why(e) + " ";
    }
  }

  private void link(Ends wanted) {
    if (ends.filter(wanted::linksAs).isEmpty()) {
      var next = made.apply(wanted);
      LOG.info(
          "{} of {} takes from {}",
          wanted.topology().datacenter(),
          instance,
          wanted.peers().keySet());
      ends = Optional.of(wanted);
      replace(next);
    }
  }

  /** Goes on as it is, with a reason why not as its files say. */
  void keep(String why) {
    told(why);
  }

  /** Ends all of it. */
  void leave() {
    fault = "";
    servers.leave(instance);
    if (ends.isPresent()) {
      LOG.info("{} is listed no more, its links end", instance);
      ends = Optional.empty();
      replace(InstanceParts.NONE);
    }
  }

  /** Whether it is listed. */
  boolean isThere() {
    return ends.isPresent() || !fault.isEmpty();
  }

  /** Whether all that was to end has ended, and all that was to start has started. */
  boolean isSettled() {
    return change.isDone();
  }

  HealthReport health() {
    return parts.health(instance, fault);
  }

  /** Tells all to end, and starts nothing any more; returns at once. */
  void end() {
    parts.end();
  }

  /** Waits until all that was told to end has ended, also what was replaced. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    try {
      change.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a change tells its failures itself", e);
    }
    return parts.awaitEnd(deadline);
  }

  private void replace(InstanceParts next) {
    var before = parts;
    parts = next;
    before.end();
    change = change.thenRunAsync(() -> start(before, next), changes);
  }

  private void start(InstanceParts before, InstanceParts next) {
    try {
      if (!before.awaitEnd(System.nanoTime() + Transport.CLOSE_TIMEOUT.plusSeconds(1).toNanos())) {
        LOG.warn("Links of {} did not end in time; others take their place", instance);
      }
      next.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // Whoever comes next must have its turn.
      LOG.error("Links of {} did not start", instance, e);
    }
  }

  private void told(String why) {
    if (!why.isEmpty() && !why.equals(fault)) {
      LOG.error(
          "{} {}: {}",
          instance,
          ends.isPresent() ? "goes on without what its files say" : "is not linked",
          why);
    }
    fault = why;
  }
}
