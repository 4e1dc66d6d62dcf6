package io.cellmesh.herb;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives what a process does for its instances beside their links its turns: the proofs, and what
 * watches the sink and who holds a link. While a part rests it has no thread, so that there are as
 * many threads as there are parts at work: few, and one more for each that waits for a Kafka that
 * does not answer. So none delays another. Thread-safe.
 */
final class SharedTurns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharedTurns.class);
  private static final long IDLE_SECONDS = 1;

  /** After which a turn is tried again that got no thread. */
  private static final Duration SHORT_OF_THREADS = Duration.ofSeconds(5);

  private final ScheduledExecutorService clock =
      new ScheduledThreadPoolExecutor(
          1, named("turn-clock"), new ThreadPoolExecutor.DiscardPolicy());
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          named("shared-turn"),
          new ThreadPoolExecutor.DiscardPolicy());
  private final Stagger stagger = new Stagger();

  /** Has a turn taken at once. */
  void now(Runnable turn) {
    try {
      threads.execute(turn);
    } catch (OutOfMemoryError e) {
      LOG.error("There is no thread left for the proof or a watch; it waits", e);
      after(SHORT_OF_THREADS, turn);
    }
  }

  /** Has a turn taken after a pause. */
  void after(Duration pause, Runnable turn) {
    clock.schedule(() -> now(turn), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Has the first turn taken after a pause, when nobody else's has just begun. */
  void begin(Duration pause, Runnable turn) {
    clock.schedule(
        () -> after(Duration.ofNanos(stagger.turn(System.nanoTime())), turn),
        pause.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /** Gives no more turns. */
  @Override
  public void close() {
    clock.shutdownNow();
    threads.shutdown();
  }

  private static ThreadFactory named(String name) {
    var count = new AtomicInteger();
    return work -> {
      var thread = new Thread(work, "%s-%d".formatted(name, count.incrementAndGet()));
      thread.setDaemon(true);
      return thread;
    };
  }
}
