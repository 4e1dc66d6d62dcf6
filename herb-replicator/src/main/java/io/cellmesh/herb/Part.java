package io.cellmesh.herb;

import java.time.Duration;

/**
 * A part of what an instance has in its process. It starts, fails and ends alone, and delays no
 * other.
 */
interface Part {
  /** Begins, unless it was told to end before. */
  void start();

  /** Tells it to keep what it has done and to end; returns at once. */
  void end();

  /**
   * Waits until it has ended, or never began.
   *
   * @return whether it has
   */
  boolean awaitEnd(Duration atMost) throws InterruptedException;
}
