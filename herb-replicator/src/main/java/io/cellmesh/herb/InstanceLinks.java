package io.cellmesh.herb;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one instance. Others take their place when its files say so: those that were before
 * end first, since both are the same group to the peer, and nobody else waits for them.
 *
 * <p>For one thread at a time.
 */
final class InstanceLinks {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceLinks.class);

  private final String instance;
  private final Function<Ends, List<Link>> made;
  private final Executor changes;
  private Optional<Ends> ends = Optional.empty();
  private List<Link> links = List.of();
  private String fault = "";
  private CompletableFuture<Void> change = CompletableFuture.completedFuture(null);

  /**
   * @param made makes links that have not started
   * @param changes where it waits for links that end
   */
  InstanceLinks(String instance, Function<Ends, List<Link>> made, Executor changes) {
    this.instance = instance;
    this.made = made;
    this.changes = changes;
  }

  /** Runs links between these ends; leaves those alone that do already. */
  void become(Ends wanted) {
    told("");
    if (ends.filter(wanted::sameAs).isEmpty()) {
      LOG.info(
          "{} of {} takes from {}",
          wanted.topology().datacenter(),
          instance,
          wanted.peers().stream().map(Peer::name).toList());
      ends = Optional.of(wanted);
      replace(made.apply(wanted));
    }
  }

  /** Goes on as it is, with a reason why not as its files say. */
  void keep(String why) {
    told(why);
  }

  /** Ends all links. */
  void leave() {
    fault = "";
    if (ends.isPresent()) {
      LOG.info("{} is listed no more, its links end", instance);
      ends = Optional.empty();
      replace(List.of());
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
    Map<String, LinkHealth> byPeer = new TreeMap<>();
    links.forEach(link -> byPeer.put(link.peer(), link.health()));
    return new HealthReport(instance, fault, byPeer);
  }

  /** Tells all links to end, and starts none any more; returns at once. */
  void end() {
    links.forEach(Link::end);
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
    return ended(links, deadline);
  }

  private void replace(List<Link> next) {
    var before = links;
    links = next;
    before.forEach(Link::end);
    change = change.thenRunAsync(() -> start(before, next), changes);
  }

  private void start(List<Link> before, List<Link> next) {
    try {
      if (!ended(before, System.nanoTime() + LinkRun.CLOSE_TIMEOUT.plusSeconds(1).toNanos())) {
        LOG.warn("Links of {} did not end in time; others take their place", instance);
      }
      next.forEach(Link::start);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // Whoever comes next must have its turn.
      LOG.error("Links of {} did not start", instance, e);
    }
  }

  private static boolean ended(List<Link> links, long deadline) throws InterruptedException {
    boolean all = true;
    for (var link : links) {
      all &= link.awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    return all;
  }

  private void told(String why) {
    if (!why.isEmpty() && !why.equals(fault)) {
      LOG.error(
          "{} {}: {}", instance, ends.isPresent() ? "goes on as it was" : "is not linked", why);
    }
    fault = why;
  }
}
