package io.cellmesh.herb;

import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds a link, over all its threads, to so many bytes a second. */
final class Pace {
  private final OptionalInt bytesPerSecond;
  private final CountDownLatch ended = new CountDownLatch(1);
  private long paid;
  private boolean begun;

  /**
   * @param bytesPerSecond empty: it waits for nothing
   */
  Pace(OptionalInt bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Waits until the time for what was taken is over, or it is of no use any more. */
  void await() throws InterruptedException {
    ended.await(left(), TimeUnit.NANOSECONDS);
  }

  /** How long {@link #await} would wait, in nanoseconds. */
  long left() {
    return left(System.nanoTime());
  }

  void took(long bytes) {
    took(bytes, System.nanoTime());
  }

  synchronized void took(long bytes, long now) {
    if (bytesPerSecond.isPresent()) {
      paid = (begun ? Math.max(paid, now) : now) + timeOf(bytes);
      begun = true;
    }
  }

  /** How long that is from a moment on. */
  synchronized long left(long now) {
    return begun ? Math.max(0, paid - now) : 0;
  }

  /** Lets everybody go who waits or would wait. */
  void end() {
    ended.countDown();
  }

  private long timeOf(long bytes) {
    return (long) ((double) TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond.getAsInt());
  }
}
