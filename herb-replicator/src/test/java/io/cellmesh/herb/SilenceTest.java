package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final long BEGIN = Long.MAX_VALUE - 5;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Silence silence = new Silence(Duration.ofSeconds(30));

  @Test
  void it_lasts_when_as_much_has_come_for_longer_than_it_may() {
    for (long second = 0; second <= 30; second++) {
      assertThat(silence.lasts(0, BEGIN + second * SECOND)).isFalse();
    }
    assertThat(silence.lasts(0, BEGIN + 31 * SECOND)).isTrue();
  }

  @Test
  void it_ends_with_whatever_comes() {
    for (long second = 0; second < 100; second++) {
      assertThat(silence.lasts(second / 29, BEGIN + second * SECOND)).isFalse();
    }
    // A client that begins anew has counted less.
    assertThat(silence.lasts(0, BEGIN + 100 * SECOND)).isFalse();
  }

  @Test
  void who_did_not_look_does_not_know() {
    assertThat(silence.lasts(7, BEGIN)).isFalse();
    assertThat(silence.lasts(7, BEGIN + 60 * SECOND)).isFalse();
    assertThat(silence.lasts(7, BEGIN + 61 * SECOND)).isFalse();
  }

  @Test
  void where_nobody_counts_there_is_none() {
    for (long second = 0; second < 100; second++) {
      assertThat(silence.lasts(Double.NaN, BEGIN + second * SECOND)).isFalse();
    }
  }
}
