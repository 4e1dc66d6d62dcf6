package io.cellmesh.herb;

import java.time.Duration;

/** A link as its cohort sees it. It starts, fails and ends alone, on threads of its own. */
interface Link {
  /** The data centre whose cells it carries. */
  String peer();

  /** Begins, unless it was told to end before. */
  void start();

  LinkHealth health();

  /** Tells it to commit and to leave the group; returns at once. */
  void end();

  /**
   * Waits until it has ended, or never began.
   *
   * @return whether it has
   */
  boolean awaitEnd(Duration atMost) throws InterruptedException;
}
