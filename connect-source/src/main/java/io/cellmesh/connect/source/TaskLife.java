package io.cellmesh.connect.source;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when a task that shows no sign of life is to be started anew.
 *
 * <p>Connect itself starts a task a moment late (after a rebalance, or when it has fenced its
 * predecessor's producer), and a start can fail again at once: so there is a pause after each
 * start, which doubles until a task has lived for a while.
 */
final class TaskLife {
  /** For how long nobody may show a sign before that means something. */
  static final Duration SILENCE = Duration.ofSeconds(4);

  static final Duration SHORTEST_PAUSE = Duration.ofSeconds(15);
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** A task that has lived for so long was started well. */
  private static final Duration WELL = LONGEST_PAUSE;

  /** What the servers say of the task. */
  enum Sign {
    ALIVE,
    /** A server that answers knows of no task, and none knows of one. */
    NONE,
    /** No server answers. */
    UNKNOWN
  }

  private final LongSupplier nanoTime;
  private Sign last = Sign.UNKNOWN;
  private long since;
  private Duration pause = SHORTEST_PAUSE;
  private long notBefore;

  /** A task that was begun just now. */
  TaskLife(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.since = nanoTime.getAsLong();
    this.notBefore = since + pause.toNanos();
  }

  /** Whether to start a task anew, after this sign. */
  boolean isLost(Sign sign) {
    long now = nanoTime.getAsLong();
    if (sign != last) {
      last = sign;
      since = now;
    }
    if (sign == Sign.ALIVE && now - since >= WELL.toNanos()) {
      pause = SHORTEST_PAUSE;
    }
    return sign == Sign.NONE && now - since >= SILENCE.toNanos() && now - notBefore >= 0;
  }

  /** One was: the next time is later. */
  void startedAnew() {
    notBefore = nanoTime.getAsLong() + pause.toNanos();
    var doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }
}
