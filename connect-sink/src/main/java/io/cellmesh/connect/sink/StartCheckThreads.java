package io.cellmesh.connect.sink;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/** Runs the checks of a start on several clusters at once, and returns when all are done. */
final class StartCheckThreads implements AutoCloseable {
  private final ExecutorService threads;

  StartCheckThreads(String name) {
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              var thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * @throws RuntimeException what one of them threw, what can't be retried before what can
   */
  <T> void run(Collection<T> items, Consumer<T> work) {
    List<Future<?>> futures =
        items.stream().<Future<?>>map(item -> threads.submit(() -> work.accept(item))).toList();
    RuntimeException thrown = null;
    for (var future : futures) {
      try {
        future.get();
      } catch (ExecutionException e) {
        thrown = worse(thrown, e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ConnectException("stopped in the middle of a batch", e);
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private static RuntimeException worse(RuntimeException one, Throwable other) {
    var next = other instanceof RuntimeException known ? known : new ConnectException(other);
    return one == null || one instanceof RetriableException ? next : one;
  }
}
