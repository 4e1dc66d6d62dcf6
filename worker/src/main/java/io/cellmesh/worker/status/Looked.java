package io.cellmesh.worker.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was seen when something was looked at last. A look that failed leaves what the one before
 * saw, and says why it failed.
 *
 * @param at when the value was seen; empty before the first look that succeeded
 * @param failure why the newest look failed; empty if it did not
 * @param failingSince when the first look failed of those that failed one after the other
 * @param tookMillis how long the newest look took
 */
public record Looked<T>(
    Optional<Instant> at,
    Optional<T> value,
    Optional<String> failure,
    Optional<Instant> failingSince,
    long tookMillis) {

  static <T> Looked<T> never() {
    return new Looked<>(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 0);
  }

  static <T> Looked<T> seen(T value, Instant at, Duration took) {
    return new Looked<>(
        Optional.of(at), Optional.of(value), Optional.empty(), Optional.empty(), took.toMillis());
  }

  Looked<T> failed(String why, Instant now, Duration took) {
    return new Looked<>(
        at, value, Optional.of(why), Optional.of(failingSince.orElse(now)), took.toMillis());
  }

  /** The same look with another value. */
  <R> Looked<R> map(Function<T, R> change) {
    return new Looked<>(at, value.map(change), failure, failingSince, tookMillis);
  }
}
