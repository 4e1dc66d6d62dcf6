package io.cellmesh.connect.sink.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.connect.errors.ConnectException;

/** Threads of the machine and its clock. As many threads as there is work at once. */
public final class DaemonThreads implements TaskThreads, AutoCloseable {
  private final ExecutorService threads;

  /**
   * @param name of the threads
   */
  public DaemonThreads(String name) {
    this(
        Executors.newCachedThreadPool(
            task -> {
              var thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            }));
  }

  /** Takes over threads. */
  public DaemonThreads(ExecutorService threads) {
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public boolean await(Future<?> work, long nanos) {
    try {
      work.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return work.isDone();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("stopped in the middle of a batch", e);
    }
  }

  @Override
  public void await(CompletableFuture<?> work) {
    try {
      work.join();
    } catch (CompletionException e) {
      // It is done; whoever asks for its result learns how.
      return;
    }
  }

  @Override
  public void whenLate(CompletableFuture<?> work, long millis, Runnable late) {
    work.copy()
        .orTimeout(millis, TimeUnit.MILLISECONDS)
        .whenComplete(
            (done, e) -> {
              if (e instanceof TimeoutException) {
                late.run();
              }
            });
  }

  /** Interrupts what is going on. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
