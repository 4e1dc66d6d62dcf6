package io.cellmesh.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Does the same for several things at once. */
public final class Parallel {
  /** Most of them that are asked at once. */
  private static final int MOST = 32;

  private Parallel() {}

  /** What is done for one of them. */
  @FunctionalInterface
  public interface Action<T> {
    void accept(T item) throws Exception;
  }

  /**
   * Asks all of them, up to {@value #MOST} at once, so that those that are silent cost one wait.
   *
   * @param question throws nothing that is checked
   * @return the answers in the order of the items
   */
  public static <T, A> List<A> ask(Collection<T> items, Function<T, A> question) {
    var threads = Executors.newFixedThreadPool(Math.max(1, Math.min(MOST, items.size())));
    try {
      var asked =
          items.stream()
              .map(item -> CompletableFuture.supplyAsync(() -> question.apply(item), threads))
              .toList();
      return asked.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      threads.shutdownNow();
    }
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
