package io.cellmesh.herb;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** What ended a run, for whoever waits for it: the first failure of all its threads. */
final class FirstFailure {
  private final AtomicReference<Throwable> first = new AtomicReference<>();
  private final CountDownLatch there = new CountDownLatch(1);

  /** Notes a failure, unless another one came before. */
  void note(Throwable failure) {
    first.compareAndSet(null, failure);
    there.countDown();
  }

  boolean isThere() {
    return there.getCount() == 0;
  }

  /** Waits for it; empty if there is none in time. */
  Optional<Throwable> await(Duration atMost) throws InterruptedException {
    return there.await(atMost.toNanos(), TimeUnit.NANOSECONDS)
        ? Optional.of(first.get())
        : Optional.empty();
  }
}
