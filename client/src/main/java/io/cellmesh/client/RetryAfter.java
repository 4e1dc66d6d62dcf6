package io.cellmesh.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the header Retry-After, seconds or a date. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private RetryAfter() {}

  /**
   * The time that the header asks to wait; none for a date that has passed, empty if unreadable.
   */
  static Optional<Duration> parse(String text, Instant now) {
    var value = text.strip();
    if (SECONDS.matcher(value).matches()) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
    }
    try {
      var until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
      return Optional.of(until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
