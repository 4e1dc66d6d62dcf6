package io.cellmesh.devstack;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Looking again and again until something is so. */
final class Waiting {
  private static final long PAUSE_MILLIS = 20;

  private Waiting() {}

  /** Whether the condition came true in time. */
  static boolean within(Duration timeout, BooleanSupplier condition) {
    long end = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      pause();
    }
    return true;
  }

  /** Waits until the condition is true, and otherwise throws what it is given for that. */
  static void until(
      Duration timeout, BooleanSupplier condition, Supplier<DevStackException> tooLate) {
    if (!within(timeout, condition)) {
      throw tooLate.get();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while waiting", e);
    }
  }
}
