package io.cellmesh.client;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** What all calls of a client share. Safe for several threads. */
final class Calls {
  final Wire wire;
  final Hosts hosts;
  final Timers timers;
  final RetryBudget budget = new RetryBudget();
  final Backoff backoff = new Backoff(() -> ThreadLocalRandom.current().nextDouble());
  final Judge judge = new Judge(Clock.systemUTC());
  private final Duration patience;

  Calls(ClientSettings settings) {
    var executor = threads();
    this.timers = new Timers(executor);
    this.wire = new Wire(settings, executor);
    this.hosts =
        new Hosts(
            settings.hosts(),
            wire::probe,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextDouble());
    this.patience = settings.patience();
  }

  /**
   * Makes a call. It fails with {@link CellmeshException}; cancelling it closes its connections.
   *
   * @param deadline by which it ends, whatever happens
   */
  <T> CompletableFuture<T> make(WorkerRequest request, Reading<T> reading, Duration deadline) {
    budget.deposit();
    return repeat(request, reading, deadline);
  }

  /** As {@link #make}, for what the caller has paid as a retry. */
  <T> CompletableFuture<T> repeat(WorkerRequest request, Reading<T> reading, Duration deadline) {
    return new Call<>(this, request, reading, deadline).start();
  }

  /** After which time without an answer another host is asked as well. */
  Duration patience(Duration deadline) {
    var half = deadline.dividedBy(2);
    return half.compareTo(patience) < 0 ? half : patience;
  }

  /** As HttpClient would make them for itself. */
  private static ExecutorService threads() {
    var count = new AtomicInteger();
    return Executors.newCachedThreadPool(
        task -> {
          var thread = new Thread(task, "cellmesh-client-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
