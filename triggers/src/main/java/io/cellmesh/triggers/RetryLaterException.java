package io.cellmesh.triggers;

import java.time.Duration;

/** Asks for another attempt not before a time, as a server's Retry-After does. */
public final class RetryLaterException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Duration after;

  /**
   * Names the reason and the least time to the next attempt, which the longest back-off bounds.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public RetryLaterException(String reason, Duration after) {
    super(reason);
    if (after.isNegative()) {
      throw new IllegalArgumentException("a negative time: " + after);
    }
    this.after = after;
  }

  public Duration after() {
    return after;
  }
}
