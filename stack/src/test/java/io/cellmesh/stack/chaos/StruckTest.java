package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StruckTest {
  @Test
  void data_centres_must_agree_within_a_minute_of_the_return() {
    assertThat(away(60, 400).isFeltTooMuch()).isFalse();
    assertThat(away(61, 400).isAgreedLate()).isTrue();
    assertThat(away(61, 400).isFeltTooMuch()).isTrue();
  }

  @Test
  void who_is_away_must_not_make_the_way_between_the_others_twice_as_long() {
    assertThat(away(10, 800).isFeltTooMuch()).isFalse();
    assertThat(away(10, 801).hasDelayedOthers()).isTrue();
    assertThat(away(10, 801).isFeltTooMuch()).isTrue();
  }

  private static Struck away(int agreed, int hopMillis) {
    var hop =
        new OthersHop(
            Duration.ofMillis(400), Duration.ofMillis(hopMillis), Duration.ofMillis(5_000));
    return new Struck(
        1,
        FaultKind.DC_CUT,
        "dc1",
        Duration.ZERO,
        Duration.ofSeconds(90),
        Duration.ZERO,
        FaultKind.DC_CUT.bound(),
        Optional.of(Duration.ofSeconds(agreed)),
        SessionCounts.NONE,
        Optional.of(hop));
  }
}
