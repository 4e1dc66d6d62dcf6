package io.cellmesh.connect.source;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * That the task is to end. Connect may say so while another thread polls: a poll that waits for a
 * server waits here, so it ends at once.
 */
final class StopSignal {
  private final CountDownLatch given = new CountDownLatch(1);

  /** Repeating it changes nothing. */
  void give() {
    given.countDown();
  }

  boolean isGiven() {
    return given.getCount() == 0;
  }

  /** Waits, but not for longer than this, and no longer than until the signal is given. */
  void await(Duration longest) throws InterruptedException {
    given.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }
}
