package io.cellmesh.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerificationTest {
  private final Tally good = LoggedOrderCheck.tally("dc1");
  private final Tally bad = LoggedOrderCheck.tally("dc2");

  @Test
  void it_has_passed_when_every_check_of_what_stood_still_has() {
    bad.offence("a", "is wrong");

    assertThat(of(false, good).passed()).isTrue();
    assertThat(of(false, good, bad).passed()).isFalse();
  }

  @Test
  void what_moved_while_it_was_read_is_not_proved() {
    assertThat(of(true, good).passed()).isFalse();
  }

  private static Verification of(boolean moved, Tally... tallies) {
    return new Verification(
        List.of(tallies).stream().map(Tally::result).toList(), moved, Duration.ZERO);
  }
}
