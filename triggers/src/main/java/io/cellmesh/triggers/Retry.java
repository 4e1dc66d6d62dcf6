package io.cellmesh.triggers;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Decides whether and when a cell that failed is tried again: after a random time between nothing
 * and a back-off that doubles with each attempt (full jitter, so that cells that failed together do
 * not come back together).
 *
 * @param attempts a cell is parked after so many
 * @param age a cell that fails is parked if its first failure is so long ago
 * @param shortest the back-off after the first attempt
 * @param longest no back-off is longer, nor what {@link RetryLaterException} asks for
 * @param neverRetried a cell that fails with one of these is parked at once
 * @param random seeded by the caller
 */
record Retry(
    int attempts,
    Duration age,
    Duration shortest,
    Duration longest,
    List<Class<? extends Exception>> neverRetried,
    Random random) {
  Retry {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts: " + attempts + ", must be positive");
    }
    if (shortest.isNegative() || shortest.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "back-off: from " + shortest + " to " + longest + ", must not be negative nor shrink");
    }
    neverRetried = List.copyOf(neverRetried);
  }

  /** Says why a cell is parked that has failed so often, if it is. */
  Optional<ParkReason> parks(Exception failure, int failed, Instant first, Instant now) {
    if (failure instanceof ParkException) {
      return Optional.of(ParkReason.CALLBACK);
    }
    if (neverRetried.stream().anyMatch(type -> type.isInstance(failure))) {
      return Optional.of(ParkReason.NEVER_RETRIED);
    }
    if (failed >= attempts) {
      return Optional.of(ParkReason.ATTEMPTS);
    }
    return Duration.between(first, now).compareTo(age) < 0
        ? Optional.empty()
        : Optional.of(ParkReason.AGE);
  }

  /** The time to the next attempt at a cell that has failed so often. */
  Duration delay(Exception failure, int failed) {
    var jittered = Duration.ofNanos((long) (random.nextDouble() * backOff(failed).toNanos()));
    return failure instanceof RetryLaterException later
        ? shorter(longest, longer(later.after(), jittered))
        : jittered;
  }

  private Duration backOff(int failed) {
    int doublings = Math.min(Math.max(0, failed - 1), 30);
    return shortest.compareTo(longest.dividedBy(1L << doublings)) >= 0
        ? longest
        : shortest.multipliedBy(1L << doublings);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
