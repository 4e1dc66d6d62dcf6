package io.cellmesh.connect.source;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Decides when it is certain that a person has to act: the servers have said so for a while, and
 * still do when they are asked once more. An answer by itself may be older than what it seems to
 * contradict, since a server that hangs is given up only after some seconds.
 */
final class StopConfirmation {
  /** What to do about a stop that the servers' answers amount to. */
  enum Step {
    WAIT,
    /** All servers, at once. */
    ASK_AGAIN,
    STOP
  }

  private final LongSupplier nanoTime;
  private OptionalLong since = OptionalLong.empty();

  StopConfirmation(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * The next step.
   *
   * @param lasting for how long the answers must have amounted to it
   * @param asked nanoseconds of the clock: when these were asked for at the earliest
   */
  Step next(Duration lasting, long asked) {
    if (since.isEmpty()) {
      since = OptionalLong.of(nanoTime.getAsLong());
    }
    long began = since.getAsLong();
    if (asked - began > lasting.toNanos()) {
      return Step.STOP;
    }
    return nanoTime.getAsLong() - began > lasting.toNanos() ? Step.ASK_AGAIN : Step.WAIT;
  }

  /** The answers amount to something else. */
  void revoke() {
    since = OptionalLong.empty();
  }
}
