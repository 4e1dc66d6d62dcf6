package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.chaos.Calm.Span;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CalmTest {
  private final Calm calm = new Calm();

  @Test
  void the_latest_calm_is_taken_and_no_time_in_which_something_was_struck() {
    calm.begins(seconds(100));
    calm.ends(seconds(165));
    calm.begins(seconds(500));
    calm.ends(seconds(515));

    assertThat(calm.latest(Duration.ofSeconds(30)))
        .containsExactly(
            new Span(seconds(500), seconds(510)), new Span(seconds(140), seconds(160)));
    assertThat(calm.latest(Duration.ofSeconds(1_000)))
        .containsExactly(
            new Span(seconds(500), seconds(510)), new Span(seconds(100), seconds(160)));
  }

  @Test
  void what_was_in_flight_at_a_blow_is_not_calm() {
    calm.begins(seconds(100));
    calm.ends(seconds(104));

    assertThat(calm.latest(Duration.ofMinutes(5))).isEmpty();
  }

  private static long seconds(long count) {
    return Duration.ofSeconds(count).toNanos();
  }
}
