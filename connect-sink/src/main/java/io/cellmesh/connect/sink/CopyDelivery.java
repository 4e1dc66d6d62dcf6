package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.Copy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the same copies of one primary to as many secondaries as are wanted, one after another.
 * When none has answered for some time the next one is asked beside it, so that a slow secondary
 * delays nobody. What it takes in the end, late, is one copy more than was wanted: copies that
 * cover the same offsets are counted and applied once, and go together (invariant 5). It serves
 * when more are wanted later; no secondary is asked twice. Deliveries that begin {@linkplain
 * #together together} share an attempt wherever they come to the same secondary. Thread-safe.
 */
final class CopyDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(CopyDelivery.class);

  private final Attempt attempt;
  private final StorageCluster primary;
  private final List<Copy> copies;
  private final long lateMillis;
  private final TaskThreads threads;

  // Guarded by this.
  private final Queue<StorageCluster> untried;
  private final Set<String> took = new HashSet<>();
  private int wanted;
  private int underWay;
  private CompletableFuture<Set<String>> result = new CompletableFuture<>();

  /**
   * @param drawn the secondaries in the order in which they are asked
   * @param lateMillis after which the next one is asked as well
   */
  CopyDelivery(
      Attempt attempt,
      StorageCluster primary,
      List<Copy> copies,
      List<StorageCluster> drawn,
      long lateMillis,
      TaskThreads threads) {
    this.attempt = attempt;
    this.primary = primary;
    this.copies = copies;
    this.untried = new ArrayDeque<>(drawn);
    this.lateMillis = lateMillis;
    this.threads = threads;
  }

  /** Writes copies to one secondary, and returns when they are committed. */
  @FunctionalInterface
  interface Attempt {
    /**
     * @param copies by primary
     * @return false if it can't take them just now, and another one shall be asked
     */
    boolean on(StorageCluster secondary, Map<StorageCluster, List<Copy>> copies);
  }

  /**
   * Begins deliveries, each to as many secondaries as it wants.
   *
   * @param wanted by delivery, all with the same attempt
   * @return for each what {@link #to} returns
   */
  static Map<CopyDelivery, CompletableFuture<Set<String>>> together(
      Map<CopyDelivery, Integer> wanted) {
    var taken = new LinkedHashMap<CopyDelivery, CompletableFuture<Set<String>>>();
    wanted.forEach((delivery, secondaries) -> taken.put(delivery, delivery.want(secondaries)));
    goOn(wanted.keySet(), CopyDelivery::first);
    taken.forEach(CopyDelivery::watch);
    return taken;
  }

  /**
   * Brings the copies to as many secondaries as are wanted altogether, those included that took
   * them before.
   *
   * @return names of all secondaries that took the copies so far, fewer than were wanted where no
   *     more can be reached; fails with {@link RetriableException} if none did
   */
  CompletableFuture<Set<String>> to(int wanted) {
    return together(Map.of(this, wanted)).get(this);
  }

  private synchronized CompletableFuture<Set<String>> want(int secondaries) {
    wanted = secondaries;
    if (result.isDone()) {
      result = new CompletableFuture<>();
    }
    return result;
  }

  private void watch(CompletableFuture<Set<String>> result) {
    threads.whenLate(
        result,
        lateMillis,
        () -> {
          if (anyUntried()) {
            goOn(List.of(this), CopyDelivery::next);
            watch(result);
          }
        });
  }

  /** Asks the next secondaries, each once for all deliveries that come to it. */
  private static void goOn(
      Collection<CopyDelivery> deliveries, Function<CopyDelivery, StorageCluster> next) {
    var round = new LinkedHashMap<StorageCluster, List<CopyDelivery>>();
    for (var delivery : deliveries) {
      var secondary = next.apply(delivery);
      if (secondary != null) {
        round.computeIfAbsent(secondary, none -> new ArrayList<>()).add(delivery);
      }
    }
    round.forEach(CopyDelivery::begin);
  }

  private static void begin(StorageCluster secondary, List<CopyDelivery> deliveries) {
    try {
      deliveries.get(0).threads.execute(() -> attempt(secondary, deliveries));
    } catch (RuntimeException | Error e) {
      // Who waits for them must hear of it.
      deliveries.forEach(delivery -> delivery.refused(e));
    }
  }

  private static void attempt(StorageCluster secondary, List<CopyDelivery> deliveries) {
    var copies = new LinkedHashMap<StorageCluster, List<Copy>>();
    deliveries.forEach(delivery -> copies.put(delivery.primary, delivery.copies));
    boolean taken;
    try {
      taken = deliveries.get(0).attempt.on(secondary, copies);
    } catch (RuntimeException | Error e) {
      deliveries.forEach(delivery -> delivery.refused(e));
      return;
    }
    goOn(deliveries, delivery -> delivery.after(secondary, taken));
  }

  private synchronized boolean anyUntried() {
    return !untried.isEmpty();
  }

  /** None if one is under way, after which it goes on by itself. */
  private synchronized StorageCluster first() {
    settle();
    return underWay == 0 ? next() : null;
  }

  private synchronized StorageCluster next() {
    settle();
    var next = result.isDone() ? null : untried.poll();
    underWay += next == null ? 0 : 1;
    return next;
  }

  private synchronized StorageCluster after(StorageCluster secondary, boolean taken) {
    underWay--;
    if (taken) {
      took.add(secondary.name());
    }
    return next();
  }

  private synchronized void refused(Throwable e) {
    underWay--;
    if (!result.completeExceptionally(e)) {
      LOG.warn("a copy of {} that was late was refused: {}", primary.name(), e.getMessage());
    }
  }

  private void settle() {
    boolean over = untried.isEmpty() && underWay == 0;
    if (took.size() >= wanted || (over && !took.isEmpty())) {
      result.complete(Set.copyOf(took));
    } else if (over) {
      result.completeExceptionally(
          new RetriableException(
              "no secondary of cluster "
                  + primary.name()
                  + " can be reached; nothing is secured until one is"));
    }
  }
}
