package io.cellmesh.bench;

import java.util.concurrent.locks.LockSupport;

/** Waiting for the time at which something has to happen. */
final class Pause {
  private Pause() {}

  /** Waits for a thread that has been told to end; an interruption ends the waiting. */
  static void untilEnded(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a time of {@link System#nanoTime}; not at all if it has passed. */
  static void until(long nanoTime) throws InterruptedException {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
