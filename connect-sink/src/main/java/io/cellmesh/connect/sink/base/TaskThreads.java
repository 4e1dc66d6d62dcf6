package io.cellmesh.connect.sink.base;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * Runs work beside a task's own thread, and waits for it: all time that passes for a sink's core
 * passes here, so that a simulation can put its own in its place. Thread-safe.
 */
public interface TaskThreads extends Executor {
  /** Nanoseconds since some time in the past, as {@link System#nanoTime} counts them. */
  long nanoTime();

  /**
   * Waits until work is done, well or not, or some nanoseconds have passed.
   *
   * @return whether it is done
   * @throws org.apache.kafka.connect.errors.ConnectException if the thread is interrupted
   */
  boolean await(Future<?> work, long nanos);

  /** Waits until work is done, well or not, however long that takes. */
  void await(CompletableFuture<?> work);

  /** Calls {@code late} on some thread if work is not done after some milliseconds. */
  void whenLate(CompletableFuture<?> work, long millis, Runnable late);

  /** The time at which a patience that begins now is over. */
  default long deadline(Duration patience) {
    return nanoTime() + patience.toNanos();
  }

  /** Runs something that returns or throws something. */
  default <T> CompletableFuture<T> submit(Callable<T> work) {
    var result = new CompletableFuture<T>();
    execute(
        () -> {
          try {
            result.complete(work.call());
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }
}
