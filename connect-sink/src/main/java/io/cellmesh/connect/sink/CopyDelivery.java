package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.TaskThreads;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the same copies to as many secondaries as are wanted, one after another. When none has
 * answered for some time the next one is asked beside it, so that a slow secondary delays nobody.
 * What it takes in the end, late, is one copy more than was wanted: copies that cover the same
 * offsets are counted and applied once, and go together (invariant 5). It serves when more are
 * wanted later; no secondary is asked twice. Thread-safe.
 */
final class CopyDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(CopyDelivery.class);

  private final Attempt attempt;
  private final String primary;
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
      String primary,
      List<StorageCluster> drawn,
      long lateMillis,
      TaskThreads threads) {
    this.attempt = attempt;
    this.primary = primary;
    this.untried = new ArrayDeque<>(drawn);
    this.lateMillis = lateMillis;
    this.threads = threads;
  }

  /** Writes the copies to one secondary, and returns when they are committed. */
  @FunctionalInterface
  interface Attempt {
    /**
     * @return false if it can't take them just now, and another one shall be asked
     */
    boolean on(StorageCluster secondary);
  }

  /**
   * Brings the copies to as many secondaries as are wanted altogether, those included that took
   * them before.
   *
   * @return names of all secondaries that took the copies so far, fewer than were wanted where no
   *     more can be reached; fails with {@link RetriableException} if none did
   */
  CompletableFuture<Set<String>> to(int wanted) {
    CompletableFuture<Set<String>> more;
    boolean idle;
    synchronized (this) {
      this.wanted = wanted;
      if (result.isDone()) {
        result = new CompletableFuture<>();
      }
      more = result;
      idle = underWay == 0;
    }
    if (idle) {
      threads.execute(this::deliver);
    }
    watch(more);
    return more;
  }

  private void watch(CompletableFuture<Set<String>> result) {
    threads.whenLate(
        result,
        lateMillis,
        () -> {
          if (anyUntried()) {
            threads.execute(this::deliver);
            watch(result);
          }
        });
  }

  private void deliver() {
    try {
      var secondary = next();
      while (secondary != null) {
        secondary = after(secondary, attempt.on(secondary));
      }
    } catch (RuntimeException | Error e) {
      refused(e);
    }
  }

  private synchronized boolean anyUntried() {
    return !untried.isEmpty();
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
      LOG.warn("a copy of {} that was late was refused: {}", primary, e.getMessage());
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
                  + primary
                  + " can be reached; nothing is secured until one is"));
    }
  }
}
