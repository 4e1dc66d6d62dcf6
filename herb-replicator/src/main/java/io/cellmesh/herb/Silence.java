package io.cellmesh.herb;

import java.time.Duration;

/**
 * Tells when nothing has come for too long of what always comes, as long as somebody looks every
 * second or so: a process that was stopped meanwhile has heard nothing either. For one thread.
 */
final class Silence {
  /** Longer than from one look to the next. */
  private static final Duration STOPPED = Duration.ofSeconds(10);

  private final Duration atMost;
  private double heard = -1;
  private long heardAt;
  private long lookedAt;

  /**
   * @param atMost how long nothing may come
   */
  Silence(Duration atMost) {
    this.atMost = atMost;
  }

  Duration atMost() {
    return atMost;
  }

  /**
   * Takes note of what has come.
   *
   * @param heard how much that is since the beginning
   * @param now by {@link System#nanoTime}
   * @return whether it has been as much for too long
   */
  boolean lasts(double heard, long now) {
    if (heard != this.heard || now - lookedAt > STOPPED.toNanos()) {
      this.heard = heard;
      this.heardAt = now;
    }
    lookedAt = now;
    return now - heardAt > atMost.toNanos();
  }
}
