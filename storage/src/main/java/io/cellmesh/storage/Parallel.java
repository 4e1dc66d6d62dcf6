package io.cellmesh.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** Does the same for several things at once. */
public final class Parallel {
  private Parallel() {}

  /** What is done for one of them. */
  @FunctionalInterface
  public interface Action<T> {
    void accept(T item) throws Exception;
  }

  /** Returns when all are done; throws what the first that failed threw. */
  public static <T> void forEach(Collection<T> items, Action<T> action) throws Exception {
    var calls = new ArrayList<Callable<Void>>();
    for (var item : items) {
      calls.add(
          () -> {
            action.accept(item);
            return null;
          });
    }
    var threads = Executors.newFixedThreadPool(Math.max(1, calls.size()));
    try {
      for (var result : threads.invokeAll(calls)) {
        result.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } finally {
      threads.shutdownNow();
    }
  }
}
