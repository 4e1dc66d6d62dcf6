package io.cellmesh.cli.verify;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;

/**
 * Spreads work that is cut into numbered pieces over a few threads. The threads share nothing but
 * the numbers: each has what it works with to itself, and what they found is put together after.
 */
final class Spread {
  /** A thread a processor, but not many: each may hold a partition's cells in memory. */
  private static final int THREADS =
      Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

  private Spread() {}

  /** What one thread does: it takes numbers until there are none and returns what it found. */
  interface Part<R> {
    R run(Iterable<Integer> numbers) throws SQLException;
  }

  /** As {@link #over(int, LongConsumer, Part)}, without telling how far it is. */
  static <R> List<R> over(int pieces, Part<R> part) throws SQLException {
    return over(pieces, done -> {}, part);
  }

  /**
   * Works on the numbers from 0 up to, and without, {@code pieces}, each once.
   *
   * @param progress called with how many are done, by one thread at a time
   * @return one result a thread, at least one
   * @throws SQLException what a thread that failed threw, when all have ended; once one has, the
   *     others get no more numbers
   */
  static <R> List<R> over(int pieces, LongConsumer progress, Part<R> part) throws SQLException {
    var numbers = new Numbers(pieces, progress);
    var works = new ArrayList<Callable<R>>();
    for (int i = 0; i < Math.max(1, Math.min(THREADS, pieces)); i++) {
      works.add(
          () -> {
            boolean complete = false;
            try {
              var result = part.run(() -> new Taken(numbers));
              complete = true;
              return result;
            } finally {
              if (!complete) {
                numbers.giveUp();
              }
            }
          });
    }
    var threads =
        Executors.newFixedThreadPool(
            works.size(),
            work -> {
              var thread = new Thread(work, "cellmesh-verify");
              thread.setDaemon(true);
              return thread;
            });
    try {
      var results = new ArrayList<R>();
      for (var result : threads.invokeAll(works)) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while everything was read", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The numbers that no thread has taken yet. */
  private static final class Numbers {
    private final int pieces;
    private final LongConsumer progress;
    private int next;
    private long done;

    Numbers(int pieces, LongConsumer progress) {
      this.pieces = pieces;
      this.progress = progress;
    }

    synchronized int take() {
      return next < pieces ? next++ : pieces;
    }

    synchronized void done() {
      progress.accept(++done);
    }

    synchronized void giveUp() {
      next = pieces;
    }
  }

  /** Those that one thread takes; it is done with one when it asks for another. */
  private static final class Taken implements Iterator<Integer> {
    private final Numbers numbers;
    private int ahead = -1;
    private boolean working;

    Taken(Numbers numbers) {
      this.numbers = numbers;
    }

    @Override
    public boolean hasNext() {
      if (ahead < 0) {
        if (working) {
          numbers.done();
        }
        working = false;
        ahead = numbers.take();
      }
      return ahead < numbers.pieces;
    }

    @Override
    public Integer next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int number = ahead;
      ahead = -1;
      working = true;
      return number;
    }
  }
}
