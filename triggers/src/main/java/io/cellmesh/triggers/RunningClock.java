package io.cellmesh.triggers;

import java.time.Instant;

/** Tells instants that never go back, whatever becomes of the machine's clock. */
final class RunningClock {
  private final Instant started = Instant.now();
  private final long startedNanos = System.nanoTime();

  Instant now() {
    return started.plusNanos(System.nanoTime() - startedNanos);
  }
}
