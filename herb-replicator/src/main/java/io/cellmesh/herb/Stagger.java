package io.cellmesh.herb;

import java.util.concurrent.TimeUnit;

/**
 * Lets the links of a process begin {@value #SPACING_MS} ms apart, so that many do not sign on,
 * look and join their groups all at once. Nobody holds it: a peer that does not answer costs the
 * other links nothing.
 */
final class Stagger {
  static final long SPACING_MS = 100;

  private final long spacing = TimeUnit.MILLISECONDS.toNanos(SPACING_MS);
  private long taken;
  private boolean begun;

  /** Waits for the caller's turn: as many spacings at most as there are links. */
  void await() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(turn(System.nanoTime()));
  }

  /** Takes the next turn; returns the nanoseconds until it comes. */
  synchronized long turn(long now) {
    long wait = begun ? Math.max(0, taken + spacing - now) : 0;
    begun = true;
    taken = now + wait;
    return wait;
  }
}
