package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

  @Test
  void delays_double_up_to_the_longest_and_start_again_after_a_success() {
    var backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(300));

    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(100));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(200));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(300));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(300));

    backoff.reset();
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(100));
  }
}
