package io.cellmesh.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs things later: the JDK's own timer wakes, and HttpClient's threads do. */
record Timers(Executor executor) {
  /** Runs something after a time, unless what is returned is cancelled before. */
  Future<?> after(Duration time, Runnable action) {
    var timer =
        new CompletableFuture<Void>().completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS);
    timer.thenRunAsync(action, executor);
    return timer;
  }
}
