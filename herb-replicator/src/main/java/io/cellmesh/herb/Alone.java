package io.cellmesh.herb;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Watches whether a run of a link is the only one whose cells the sink passes. What the sink passes
 * tells who else came; one that halts tells nothing. Not thread-safe.
 */
final class Alone {
  /** Others' cells of which the sink has passed none for so long do not come. */
  static final long COME_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A sink that has passed nothing for so long does not go on. */
  static final long GOES_ON_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** When the sink passed some of the run's last. */
  private long passedAt;

  /** Since when it goes on and passes none of others'. */
  private long since;

  /** All others' cells that it was seen to have passed. */
  private long seen;

  /**
   * @param now as {@link System#nanoTime} tells it, here and below
   */
  Alone(long now) {
    this.passedAt = now;
    this.since = now;
  }

  /** Notes that the sink has passed some of the run's. */
  void passed(long now) {
    since = now - passedAt < GOES_ON_NANOS ? since : now;
    passedAt = now;
  }

  /**
   * Notes how many of others' it has passed.
   *
   * @param own cells of this data centre; empty if that is not known, and then they may come
   * @param mesh cells of other links
   */
  void others(OptionalLong own, long mesh, long now) {
    long others = own.orElse(0) + mesh;
    if (others > seen || own.isEmpty()) {
      since = now;
    }
    seen = others;
  }

  /** Whether it was when the sink passed some of the run's last. */
  boolean is() {
    return passedAt - since >= COME_NANOS;
  }
}
