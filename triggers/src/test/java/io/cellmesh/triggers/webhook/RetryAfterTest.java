package io.cellmesh.triggers.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("1994-11-06T08:49:30Z");

  @Test
  void seconds_are_taken_however_many() {
    assertThat(RetryAfter.parse(" 120 ", NOW)).contains(Duration.ofSeconds(120));
    assertThat(RetryAfter.parse("0", NOW)).contains(Duration.ZERO);
    assertThat(RetryAfter.parse("9".repeat(40), NOW)).contains(Duration.ofSeconds(999_999_999));
  }

  @Test
  void a_date_is_a_time_from_now_and_none_when_it_has_passed() {
    assertThat(RetryAfter.parse("Sun, 06 Nov 1994 08:49:37 GMT", NOW))
        .contains(Duration.ofSeconds(7));
    assertThat(RetryAfter.parse("Sun, 06 Nov 1994 08:49:29 GMT", NOW)).contains(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "1.5", "1994-11-06T08:49:37Z", "Sun, 99 Nov 1994"})
  void what_is_neither_says_nothing(String text) {
    assertThat(RetryAfter.parse(text, NOW)).isEmpty();
  }
}
