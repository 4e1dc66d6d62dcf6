package io.cellmesh.bench;

import java.util.concurrent.locks.LockSupport;

/** Waiting for the time at which something has to happen. */
final class Pause {
  private Pause() {}

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
