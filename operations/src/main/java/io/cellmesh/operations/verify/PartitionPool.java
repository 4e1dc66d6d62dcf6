package io.cellmesh.operations.verify;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * Spreads work that is cut into numbered pieces over a few threads. The threads share nothing but
 * the numbers: each has what it works with to itself, and what they found is added up after.
 */
final class PartitionPool {
  /**
   * A thread a processor, but not many: each may hold a partition's cells in memory. Two at least,
   * so that one checks while the other waits for a server.
   */
  private static final int THREADS =
      Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

  private PartitionPool() {}

  /** What one thread does: it works on numbers until there are none and returns what it found. */
  interface Part<R> {
    R run(Numbers numbers) throws SQLException;
  }

  /** What is done with one number. */
  interface Piece {
    void work(int number) throws SQLException;
  }

  /** As {@link #over(int, LongConsumer, Part, BiConsumer)}, without telling how far it is. */
  static <R> R over(int pieces, Part<R> part, BiConsumer<R, R> add) throws SQLException {
    return over(pieces, done -> {}, part, add);
  }

  /**
   * Works on the numbers from 0 up to, and without, {@code pieces}, each once.
   *
   * @param progress called with how many are done, by one thread at a time
   * @param add adds what another thread found, its second argument, to its first
   * @return what all threads found
   * @throws SQLException what a thread that failed threw, when all have ended; once one has, the
   *     others get no more numbers
   */
  static <R> R over(int pieces, LongConsumer progress, Part<R> part, BiConsumer<R, R> add)
      throws SQLException {
    var numbers = new Numbers(pieces, progress);
    var works = new ArrayList<Callable<R>>();
    for (int i = 0; i < Math.max(1, Math.min(THREADS, pieces)); i++) {
      works.add(() -> run(part, numbers));
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
      var results = threads.invokeAll(works);
      var all = results.get(0).get();
      for (var other : results.subList(1, results.size())) {
        add.accept(all, other.get());
      }
      return all;
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

  private static <R> R run(Part<R> part, Numbers numbers) throws SQLException {
    try {
      return part.run(numbers);
    } catch (SQLException | RuntimeException | Error e) {
      numbers.giveUp();
      throw e;
    }
  }

  /** The numbers that no thread has taken yet. */
  static final class Numbers {
    private final int pieces;
    private final LongConsumer progress;
    private int next;
    private long done;

    private Numbers(int pieces, LongConsumer progress) {
      this.pieces = pieces;
      this.progress = progress;
    }

    /** Takes one number after the other, and returns when there are no more. */
    void each(Piece piece) throws SQLException {
      for (int number = take(); number < pieces; number = take()) {
        piece.work(number);
        done();
      }
    }

    private synchronized int take() {
      return next < pieces ? next++ : pieces;
    }

    private synchronized void done() {
      progress.accept(++done);
    }

    private synchronized void giveUp() {
      next = pieces;
    }
  }
}
