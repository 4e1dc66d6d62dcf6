package io.cellmesh.worker.load;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets so many pieces of work be under way at a time, which may block; a bounded number more wait
 * in the order in which they came. What is past its deadline, or was cancelled, when its turn comes
 * is not begun. Thread-safe.
 */
public final class Lane implements AutoCloseable {
  private final String name;
  private final int count;
  private final Gate gate;
  private final ThreadPoolExecutor threads;

  /** Also guards {@link #underWay}. */
  private final Queue<Work<?>> waiting = new ArrayDeque<>();

  private int underWay;

  /**
   * @param count how much is under way at a time; as many threads there are, only while they have
   *     work
   * @param waiting most that waits for its turn
   */
  public Lane(String name, int count, int waiting) {
    this.name = name;
    this.count = count;
    this.gate = new Gate(name, count + waiting);
    var number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              var thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Has work done by a thread of the lane.
   *
   * @return what came of it: what the work threw, or a {@link DeadlineException} if its turn came
   *     too late. To cancel it takes it out of the queue; what has begun goes on
   * @throws OverloadedException if there is no room for it
   */
  public <T> CompletableFuture<T> run(Priority priority, Deadline deadline, Callable<T> callable) {
    var work = enter(priority, deadline, callable);
    if (begins(work)) {
      handOver(work);
    }
    return work.result;
  }

  /**
   * The same, but what need not wait for its turn is done before it returns: to wake another thread
   * for it costs more than a short question. For those who may be kept for as long as the work is.
   */
  public <T> CompletableFuture<T> runHere(
      Priority priority, Deadline deadline, Callable<T> callable) {
    var work = enter(priority, deadline, callable);
    if (begins(work)) {
      work.run();
      // Whoever asked for one thing is not kept for what others ask for.
      next().ifPresent(this::handOver);
    }
    return work.result;
  }

  /** Whether work would be begun at once. */
  public boolean idle() {
    return gate.inside() < count;
  }

  /** Who is inside, and who was turned away. */
  public Gate gate() {
    return gate;
  }

  /** Ends at once; what waits is never done. */
  @Override
  public void close() {
    synchronized (waiting) {
      waiting.clear();
    }
    threads.shutdownNow();
  }

  private <T> Work<T> enter(Priority priority, Deadline deadline, Callable<T> callable) {
    gate.enter(priority);
    return new Work<>(deadline, callable);
  }

  /** Whether its turn is now; else it waits. */
  private boolean begins(Work<?> work) {
    synchronized (waiting) {
      if (underWay == count) {
        waiting.add(work);
        return false;
      }
      underWay++;
      return true;
    }
  }

  /** What takes the place of work that is done; if nothing does, the place is free. */
  private Optional<Work<?>> next() {
    synchronized (waiting) {
      var next = waiting.poll();
      if (next == null) {
        underWay--;
      }
      return Optional.ofNullable(next);
    }
  }

  private void doAll(Work<?> first) {
    for (Optional<Work<?>> work = Optional.of(first); work.isPresent(); work = next()) {
      work.get().run();
    }
  }

  /** Has it begun by a thread. Where none can be had it fails, and keeps its place from nobody. */
  private void handOver(Work<?> first) {
    for (Optional<Work<?>> work = Optional.of(first); work.isPresent(); work = next()) {
      var handed = work.get();
      try {
        threads.execute(() -> doAll(handed));
        return;
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        handed.end(e);
      }
    }
  }

  private final class Work<T> {
    private final Deadline deadline;
    private final Callable<T> callable;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Work(Deadline deadline, Callable<T> callable) {
      this.deadline = deadline;
      this.callable = callable;
    }

    void run() {
      try {
        if (result.isDone()) {
          return;
        }
        if (deadline.isOver()) {
          result.completeExceptionally(new DeadlineException(name));
        } else {
          result.complete(callable.call());
        }
      } catch (Throwable e) {
        result.completeExceptionally(e);
      } finally {
        gate.leave();
      }
    }

    void end(Throwable why) {
      gate.leave();
      result.completeExceptionally(why);
    }
  }
}
