package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.PrimaryExecutor;
import io.cellmesh.connect.sink.base.PrimaryExecutor.Started;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.ServerHealth;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is going on on primaries, one piece at a time on each. The task's own thread begins it,
 * waits for it as long as the primary is not {@linkplain PrimaryPaces late}, and hears how it ended
 * then or at a later call. So a primary that is slow, or hangs, holds up no other one's cells, and
 * nothing that it did is forgotten.
 *
 * <p>Used by the task's own thread alone.
 */
final class PendingWork {
  private static final Logger LOG = LoggerFactory.getLogger(PendingWork.class);

  /** A primary that owes an answer for so long is left alone until it answers a probe. */
  private static final Duration HANGS = Duration.ofSeconds(3);

  private final ServerHealth health;
  private final TaskThreads threads;
  private final PrimaryExecutor primaries;
  private final PrimaryPaces paces;
  private final Map<StorageCluster, Pending<?>> pending = new LinkedHashMap<>();
  private final Set<StorageCluster> late = new HashSet<>();

  PendingWork(ServerHealth health, TaskThreads threads, PrimaryPaces paces) {
    this.health = health;
    this.threads = threads;
    this.primaries = new PrimaryExecutor(threads);
    this.paces = paces;
  }

  /**
   * Begins a piece of work.
   *
   * @param heard called by this thread, in {@link #await} or {@link #hear}, with what the work
   *     returned
   * @throws IllegalStateException if the primary is {@link #busy}
   */
  <T> void start(StorageCluster primary, Callable<T> work, Consumer<T> heard) {
    pending.put(primary, new Pending<>(primaries.start(primary, work), heard));
  }

  /** Whether something is going on there whose end has not been heard of. */
  boolean busy(StorageCluster primary) {
    return pending.containsKey(primary);
  }

  /** Whether others should go on without a primary: it is busy, or so slow that it soon will be. */
  boolean held(StorageCluster primary) {
    return busy(primary) || paces.late(primary);
  }

  /**
   * Hears of what has ended, without waiting.
   *
   * @throws RuntimeException that a piece of work ended with
   */
  void hear() {
    await(Duration.ZERO);
  }

  /**
   * Waits for what is going on on primaries that are not late, and hears of all that has ended.
   *
   * @throws RuntimeException that a piece of work ended with, once all have been heard of
   */
  void await(Duration atMost) {
    long deadline = threads.deadline(atMost);
    var failure = new FirstFailure();
    for (var primary : List.copyOf(pending.keySet())) {
      if (ends(primary, deadline)) {
        failure.attempt(() -> pending.remove(primary).hear(threads.nanoTime()));
      } else {
        goOnWithout(primary);
      }
    }
    failure.rethrow();
  }

  private boolean ends(StorageCluster primary, long deadline) {
    var work = pending.get(primary).started();
    while (true) {
      long left = Math.min(deadline - threads.nanoTime(), paces.left(primary));
      if (work.doneWithin(left)) {
        return true;
      }
      if (left <= 0) {
        return false;
      }
    }
  }

  private void goOnWithout(StorageCluster primary) {
    boolean isLate = paces.late(primary);
    if (isLate && late.add(primary)) {
      LOG.info("primary {} is late; the others go on without it", primary.name());
    } else if (!isLate) {
      late.remove(primary);
    }
    var work = pending.get(primary);
    if (!work.suspected && paces.owes(primary) > HANGS.toNanos()) {
      LOG.warn("primary {} does not answer in time", primary.name());
      work.suspected = true;
      health.suspect(primary.master());
    }
  }

  /** A piece of work, and who hears of its end. */
  private static final class Pending<T> {
    private final Started<T> started;
    private final Consumer<T> heard;
    private boolean suspected;

    Pending(Started<T> started, Consumer<T> heard) {
      this.started = started;
      this.heard = heard;
    }

    Started<T> started() {
      return started;
    }

    void hear(long now) {
      heard.accept(started.await(now));
    }
  }
}
