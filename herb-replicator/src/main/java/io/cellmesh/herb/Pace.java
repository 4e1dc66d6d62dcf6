package io.cellmesh.herb;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds a link, over all its threads, to so many bytes a second that it reads, and while somebody
 * says so to so many cells a second that it brings. Thread-safe.
 */
final class Pace {
  /** Whoever waits looks so often whether there is anything left to wait for. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final LongSupplier brought;
  private final Budget bytes = new Budget();
  private final Budget cells = new Budget();
  private long counted;

  /** When cells were counted last: those that have come since began to come then. */
  private long countedAt = System.nanoTime();

  /**
   * @param bytesPerSecond empty: it waits for nothing that was read
   * @param brought how many cells the link has brought so far
   */
  Pace(OptionalInt bytesPerSecond, LongSupplier brought) {
    this.brought = brought;
    this.counted = brought.getAsLong();
    bytesPerSecond.ifPresent(most -> bytes.perSecond = OptionalDouble.of(most));
  }

  /** Waits until the time for what was taken is over, or it is of no use any more. */
  void await() throws InterruptedException {
    boolean over = false;
    for (long left = left(); left > 0 && !over; left = left()) {
      over = ended.await(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS);
    }
  }

  /** How long {@link #await} would wait, in nanoseconds. */
  long left() {
    return left(System.nanoTime());
  }

  void took(long bytes) {
    took(bytes, System.nanoTime());
  }

  synchronized void took(long bytes, long now) {
    this.bytes.took(bytes, now);
  }

  /**
   * Holds the link to a pace from now on.
   *
   * @param perSecond cells; empty: as many as come
   */
  synchronized void keepTo(OptionalDouble perSecond) {
    if (!perSecond.equals(cells.perSecond)) {
      counted = brought.getAsLong();
      cells.begun = false;
      cells.perSecond = perSecond;
    }
  }

  /** The cells a second that the link is held to; empty while it is to none. */
  synchronized OptionalDouble cells() {
    return cells.perSecond;
  }

  /** How long that is from a moment on. */
  synchronized long left(long now) {
    long by = brought.getAsLong();
    cells.took(by - counted, countedAt);
    counted = by;
    countedAt = now;
    return Math.max(bytes.left(now), cells.left(now));
  }

  /** Lets everybody go who waits or would wait. */
  void end() {
    ended.countDown();
  }

  /** What is paid for with time; time in which nothing comes is not saved. */
  private static final class Budget {
    private OptionalDouble perSecond = OptionalDouble.empty();
    private long paid;
    private boolean begun;

    void took(long units, long now) {
      if (units > 0 && perSecond.isPresent()) {
        paid = (begun ? Math.max(paid, now) : now) + timeOf(units);
        begun = true;
      }
    }

    long left(long now) {
      return begun ? Math.max(0, paid - now) : 0;
    }

    private long timeOf(long units) {
      return (long) (TimeUnit.SECONDS.toNanos(1) * (units / perSecond.getAsDouble()));
    }
  }
}
