package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final Exception FAILURE = new IllegalStateException("down");
  private static final Instant FIRST = Instant.EPOCH;

  private final Retry retry =
      new Retry(
          3,
          Duration.ofMinutes(10),
          Duration.ofMillis(100),
          Duration.ofSeconds(2),
          List.of(IOException.class),
          new Random(1));

  @Test
  void a_cell_is_parked_after_its_last_attempt() {
    assertThat(retry.parks(FAILURE, 2, FIRST, FIRST)).isEmpty();
    assertThat(retry.parks(FAILURE, 3, FIRST, FIRST)).contains(ParkReason.ATTEMPTS);
  }

  @Test
  void a_cell_is_parked_that_has_failed_for_too_long() {
    assertThat(retry.parks(FAILURE, 1, FIRST, FIRST.plusSeconds(599))).isEmpty();
    assertThat(retry.parks(FAILURE, 1, FIRST, FIRST.plusSeconds(600))).contains(ParkReason.AGE);
  }

  @Test
  void an_age_that_no_clock_reaches_parks_nothing() {
    var patient =
        new Retry(
            3,
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ZERO,
            Duration.ZERO,
            List.of(),
            new Random(1));

    assertThat(patient.parks(FAILURE, 1, FIRST, FIRST.plusSeconds(600))).isEmpty();
  }

  @Test
  void what_is_not_worth_another_attempt_is_parked_at_once() {
    assertThat(retry.parks(new FileNotFoundException(), 1, FIRST, FIRST))
        .contains(ParkReason.NEVER_RETRIED);
    assertThat(retry.parks(new ParkException("in vain"), 1, FIRST, FIRST))
        .contains(ParkReason.CALLBACK);
  }

  @Test
  void the_back_off_doubles_up_to_the_longest_and_is_jittered_from_nothing() {
    assertThat(most(1)).isBetween(95L, 100L);
    assertThat(most(2)).isBetween(190L, 200L);
    assertThat(most(5)).isBetween(1_520L, 1_600L);
    assertThat(most(6)).isBetween(1_900L, 2_000L);
    assertThat(most(1_000)).isBetween(1_900L, 2_000L);
    assertThat(IntStream.range(0, 1_000).mapToLong(i -> delay(1_000)).min().orElseThrow())
        .isLessThan(50);
  }

  @Test
  void a_callback_may_ask_for_more_time_up_to_the_longest_back_off() {
    assertThat(retry.delay(new RetryLaterException("later", Duration.ofMillis(1_500)), 1))
        .isEqualTo(Duration.ofMillis(1_500));
    assertThat(retry.delay(new RetryLaterException("later", Duration.ofHours(1)), 1))
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void no_attempt_at_all_is_refused() {
    assertThatThrownBy(
            () ->
                new Retry(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, List.of(), new Random(1)))
        .hasMessage("attempts: 0, must be positive");
  }

  private long most(int failed) {
    return IntStream.range(0, 1_000).mapToLong(i -> delay(failed)).max().orElseThrow();
  }

  private long delay(int failed) {
    return retry.delay(FAILURE, failed).toMillis();
  }
}
