package io.cellmesh.bench;

import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** A few threads that ask, each over connections of its own. */
final class AskingThreads {
  private static final long SECOND = 1_000_000_000;

  private final Asker.Opening opening;
  private final int threads;

  AskingThreads(Asker.Opening opening, int threads) {
    this.opening = opening;
    this.threads = threads;
  }

  /** One after the other, as fast as answers come. */
  AskedRound fast(Question question, int seconds) throws Exception {
    return run(
        (asker, random, thread) -> {
          var nanos = LongStream.builder();
          long begin = System.nanoTime();
          for (long now = begin; now - begin < seconds * SECOND; ) {
            asker.ask(question, random.nextInt(WorkerRows.COUNT));
            long then = System.nanoTime();
            nanos.add(then - now);
            now = then;
          }
          return nanos.build().toArray();
        });
  }

  /** So many in all, as fast as answers come. */
  AskedRound times(Question question, long count) throws Exception {
    return run(
        (asker, random, thread) -> {
          var nanos = new long[(int) (count / threads)];
          long now = System.nanoTime();
          for (int i = 0; i < nanos.length; i++) {
            asker.ask(question, random.nextInt(WorkerRows.COUNT));
            long then = System.nanoTime();
            nanos[i] = then - now;
            now = then;
          }
          return nanos;
        });
  }

  /**
   * At a steady rate, each timed from the moment at which it was due: what is late because the one
   * before was slow counts as slow, too.
   *
   * @param rate of all threads together, a second
   */
  AskedRound paced(Question question, int rate, int seconds) throws Exception {
    return run(
        (asker, random, thread) -> {
          var nanos = new long[rate * seconds / threads];
          long begin = System.nanoTime() + SECOND / rate * thread;
          for (int i = 0; i < nanos.length; i++) {
            long due = begin + i * SECOND / rate * threads;
            Pause.until(due);
            asker.ask(question, random.nextInt(WorkerRows.COUNT));
            nanos[i] = System.nanoTime() - due;
          }
          return nanos;
        });
  }

  @FunctionalInterface
  private interface Loop {
    long[] run(Asker asker, SplittableRandom random, int thread) throws Exception;
  }

  private AskedRound run(Loop loop) throws Exception {
    var together = new CyclicBarrier(threads);
    var pool = Executors.newFixedThreadPool(threads);
    try {
      var loops = new ArrayList<Callable<long[]>>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        loops.add(
            () -> {
              try (var asker = opening.open()) {
                together.await();
                return loop.run(asker, new SplittableRandom(System.nanoTime()), thread);
              } catch (Exception e) {
                // The others would wait for it.
                together.reset();
                throw e;
              }
            });
      }
      long begin = System.nanoTime();
      var all = new ArrayList<long[]>();
      for (var result : pool.invokeAll(loops)) {
        all.add(of(result));
      }
      return AskedRound.of(all, (System.nanoTime() - begin) / 1e9);
    } finally {
      pool.shutdownNow();
    }
  }

  private static long[] of(Future<long[]> result) throws Exception {
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
