package io.cellmesh.bench;

import io.cellmesh.bench.IndexFigures.Hop;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * How late a thread wakes up that has slept for 5 ms. Every step from one process to another waits
 * for a thread to wake up, so no path can be faster than the machine lets it; with the machine at
 * rest it is the hypervisor that is late, under load the other threads come on top. (The idea is
 * that of jHiccup.)
 */
final class Wakeups implements AutoCloseable {
  private static final long SLEEP = Duration.ofMillis(5).toNanos();

  private final LongStream.Builder late = LongStream.builder();
  private final Thread thread = new Thread(this::run, "bench-wakeups");
  private volatile boolean closing;

  private Wakeups() {
    thread.setDaemon(true);
    thread.start();
  }

  /** From now on. */
  static Wakeups watch() {
    return new Wakeups();
  }

  /** Over a time that the caller spends here. */
  static Hop over(Duration time, String name) throws InterruptedException {
    try (var wakeups = watch()) {
      Pause.until(System.nanoTime() + time.toNanos());
      return wakeups.end(name);
    }
  }

  /** Ends it: in milliseconds, under a name. */
  Hop end(String name) {
    close();
    return Hop.of(name, late.build().toArray());
  }

  @Override
  public void close() {
    closing = true;
    Pause.untilEnded(thread);
  }

  private void run() {
    try {
      do {
        long wanted = System.nanoTime() + SLEEP;
        Pause.until(wanted);
        late.add(System.nanoTime() - wanted);
      } while (!closing);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
