package io.cellmesh.triggers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures how long a thread of this machine has to wait for its turn. */
final class Stalls implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(5);

  private final Thread thread = new Thread(this::tick, "stalls");
  private volatile long longest;

  Stalls() {
    thread.setDaemon(true);
    thread.start();
  }

  /** The longest so far. */
  Duration longest() {
    return Duration.ofNanos(longest);
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void tick() {
    try {
      while (true) {
        long before = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(TICK.toNanos());
        longest = Math.max(longest, System.nanoTime() - before - TICK.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
