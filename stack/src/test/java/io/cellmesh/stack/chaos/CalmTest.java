package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.chaos.Calm.Span;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CalmTest {
  private final Calm calm = new Calm();

  @Test
  void the_latest_calm_is_taken_and_no_time_in_which_something_was_struck() {
    calm.begins(100);
    calm.ends(160);
    calm.begins(500);
    calm.ends(510);

    assertThat(calm.latest(Duration.ofNanos(30)))
        .containsExactly(new Span(500, 510), new Span(140, 160));
    assertThat(calm.latest(Duration.ofNanos(1_000)))
        .containsExactly(new Span(500, 510), new Span(100, 160));
  }
}
