package io.cellmesh.storage;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** Runs works side by side. */
public final class Parallel {
  private Parallel() {}

  /** Returns when all are done; throws what the first that failed threw. */
  public static void run(List<Callable<Void>> works) throws Exception {
    var threads = Executors.newFixedThreadPool(Math.max(1, works.size()));
    try {
      for (var result : threads.invokeAll(works)) {
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
