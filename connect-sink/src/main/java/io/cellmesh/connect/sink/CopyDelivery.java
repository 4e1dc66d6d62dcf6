package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the same copies to as many secondaries as are wanted, one after another. When none has
 * answered for some time the next one is asked beside it, so that a slow secondary delays nobody.
 * What it takes in the end, late, is one copy more than was wanted: copies that cover the same
 * offsets are counted and applied once, and go together (invariant 5). Thread-safe.
 */
final class CopyDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(CopyDelivery.class);

  private final Attempt attempt;
  private final String primary;
  private final int wanted;
  private final boolean heldElsewhere;
  private final long lateMillis;
  private final Executor threads;
  private final CompletableFuture<Set<String>> result = new CompletableFuture<>();

  // Guarded by this.
  private final Queue<StorageCluster> untried;
  private final Set<String> took = new HashSet<>();
  private int underWay;

  /**
   * @param drawn the secondaries in the order in which they are asked
   * @param wanted how many shall take the copies
   * @param heldElsewhere whether others hold them already, so that it is no failure if none does
   * @param lateMillis after which the next one is asked as well
   */
  CopyDelivery(
      Attempt attempt,
      String primary,
      List<StorageCluster> drawn,
      int wanted,
      boolean heldElsewhere,
      long lateMillis,
      Executor threads) {
    this.attempt = attempt;
    this.primary = primary;
    this.untried = new ArrayDeque<>(drawn);
    this.wanted = wanted;
    this.heldElsewhere = heldElsewhere;
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
   * Begins.
   *
   * @return names of the secondaries that took the copies; fails with {@link RetriableException} if
   *     none did
   */
  CompletableFuture<Set<String>> start() {
    threads.execute(this::deliver);
    watch();
    return result;
  }

  private void watch() {
    result
        .copy()
        .orTimeout(lateMillis, TimeUnit.MILLISECONDS)
        .whenComplete(
            (done, e) -> {
              if (e instanceof TimeoutException && anyUntried()) {
                threads.execute(this::deliver);
                watch();
              }
            });
  }

  private void deliver() {
    try {
      for (var secondary = next(); secondary != null; secondary = next()) {
        ended(secondary, attempt.on(secondary));
      }
    } catch (RuntimeException | Error e) {
      if (!result.completeExceptionally(e)) {
        LOG.warn("a copy of {} that was late was refused: {}", primary, e.getMessage());
      }
    }
  }

  private synchronized boolean anyUntried() {
    return !untried.isEmpty();
  }

  private synchronized StorageCluster next() {
    if (result.isDone() || untried.isEmpty()) {
      settle();
      return null;
    }
    underWay++;
    return untried.poll();
  }

  private synchronized void ended(StorageCluster secondary, boolean taken) {
    underWay--;
    if (taken) {
      took.add(secondary.name());
    }
    settle();
  }

  private void settle() {
    boolean over = untried.isEmpty() && underWay == 0;
    if (took.size() >= wanted || (over && (heldElsewhere || !took.isEmpty()))) {
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
