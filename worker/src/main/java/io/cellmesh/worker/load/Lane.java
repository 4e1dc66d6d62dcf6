package io.cellmesh.worker.load;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads with a bounded queue before them, for work that may block. What is past its
 * deadline, or was cancelled, when its turn comes is not begun. Thread-safe.
 */
public final class Lane implements AutoCloseable {
  private final String name;
  private final int count;
  private final Gate gate;
  private final ThreadPoolExecutor threads;

  /**
   * @param count of the threads, which exist only while there is work
   * @param waiting most that wait for one of them
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
   * Has work done.
   *
   * @return what came of it: what the work threw, or a {@link DeadlineException} if its turn came
   *     too late. To cancel it takes it out of the queue; what has begun goes on
   * @throws OverloadedException if there is no room for it
   */
  public <T> CompletableFuture<T> run(Priority priority, Deadline deadline, Callable<T> work) {
    gate.enter(priority);
    var result = new CompletableFuture<T>();
    threads.execute(
        () -> {
          try {
            if (result.isDone()) {
              return;
            }
            if (deadline.isOver()) {
              result.completeExceptionally(new DeadlineException(name));
            } else {
              result.complete(work.call());
            }
          } catch (Throwable e) {
            result.completeExceptionally(e);
          } finally {
            gate.leave();
          }
        });
    return result;
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
    threads.shutdownNow();
  }
}
