package io.cellmesh.triggers.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the header Retry-After in both of its forms, seconds and a date. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]+");

  /** Some thirty years; the trigger's longest back-off is shorter. */
  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  /**
   * The time that the header asks to wait; none for a date that has passed.
   *
   * @return empty if it is neither form
   */
  static Optional<Duration> parse(String text, Instant now) {
    var value = text.strip();
    if (SECONDS.matcher(value).matches()) {
      return Optional.of(Duration.ofSeconds(seconds(value)));
    }
    try {
      var until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
      return Optional.of(until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static long seconds(String digits) {
    return digits.length() > MOST_DIGITS ? 999_999_999 : Long.parseLong(digits);
  }
}
