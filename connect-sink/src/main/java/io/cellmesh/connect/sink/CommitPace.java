package io.cellmesh.connect.sink;

import java.util.concurrent.TimeUnit;

/**
 * Says when a commit is to be asked for. While a primary is behind, only the committed offset tells
 * those who wait for its cells that these are secured: sooner than Connect would commit by itself,
 * and at most once a second. All times are those of {@link System#nanoTime}.
 */
final class CommitPace {
  static final long EVERY = TimeUnit.SECONDS.toNanos(1);

  private long asked;

  CommitPace(long now) {
    this.asked = now;
  }

  /** Whether it is time; if so, it is taken to be asked for now. */
  boolean isDue(boolean behind, long now) {
    boolean due = behind && now - asked >= EVERY;
    if (due) {
      asked = now;
    }
    return due;
  }
}
