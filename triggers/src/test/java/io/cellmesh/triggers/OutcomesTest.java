package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.Reason;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  private static final Reason DOWN = Reason.of(new IOException("down"));
  private static final Reason SLOW = Reason.of(new IOException("slow"));

  private final Outcomes outcomes = new Outcomes(10);
  private final Instant now = Instant.EPOCH;

  @Test
  void a_row_fails_if_the_last_of_it_that_was_tried_did() {
    outcomes.failed(cell(1, 1), DOWN, now);
    outcomes.succeeded(cell(1, 1), now.plusSeconds(1));
    outcomes.succeeded(cell(2, 2), now.plusSeconds(1));
    outcomes.failed(cell(2, 2), DOWN, now.plusSeconds(2));
    outcomes.failed(cell(2, 3), SLOW, now.plusSeconds(2));
    outcomes.failed(cell(2, 3), SLOW, now.plusSeconds(2));

    assertThat(outcomes.tally(now.plusSeconds(3)))
        .isEqualTo(new Tally(6, 4, 3, 2, 2, 1, outcomes.tally(now.plusSeconds(3)).reason(), 2));
  }

  @Test
  void what_is_older_than_the_window_does_not_count() {
    outcomes.failed(cell(1, 1), DOWN, now);
    outcomes.succeeded(cell(2, 2), now.plusSeconds(5));

    assertThat(outcomes.tally(now.plusSeconds(9)).rows()).isEqualTo(2);
    assertThat(outcomes.tally(now.plusSeconds(10)))
        .isEqualTo(new Tally(1, 0, 1, 0, 1, 0, Optional.empty(), 0));
  }

  @Test
  void many_rows_of_a_second_are_a_sample() {
    for (int i = 0; i < 100_000; i++) {
      outcomes.succeeded(cell(1, i), now);
    }

    assertThat(outcomes.tally(now).rows()).isEqualTo(1024);
    assertThat(outcomes.tally(now).cells()).isEqualTo(100_000);
  }

  private static Delivery cell(int shard, int row) {
    return new Delivery(0, shard, 1, new UUID(0, row), "BASE", false, 1, null);
  }
}
