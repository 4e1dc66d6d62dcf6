package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ReadPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReturnDeadlineTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final Optional<Duration> WEEK = Optional.of(Duration.ofDays(7));
  private static final ReadPlace READ = place(OptionalLong.of(7), 0);

  @Test
  void the_oldest_record_that_was_not_read_says_until_when() {
    var deadline =
        new ReturnDeadline(WEEK, false, List.of(READ), Optional.of(NOW.minus(Duration.ofDays(2))));
    assertThat(text(deadline))
        .isEqualTo("dc2 can come back without a seed from dc1 until 2026-02-05T12:00:00Z");
  }

  @Test
  void where_all_was_read_the_whole_retention_is_left() {
    assertThat(text(new ReturnDeadline(WEEK, true, List.of(READ), Optional.empty())))
        .isEqualTo(
            "dc2 can come back without a seed from dc1 until 2026-02-07T12:00:00Z, or sooner:"
                + " retention.bytes is set");
  }

  @Test
  void a_log_that_is_kept_for_ever_sets_no_term() {
    assertThat(text(new ReturnDeadline(Optional.empty(), false, List.of(READ), Optional.of(NOW))))
        .isEqualTo("dc2 can come back without a seed from dc1 at any time");
  }

  @Test
  void what_has_expired_unread_has_to_come_by_a_seed() {
    var expired = place(OptionalLong.of(3), 5);
    assertThat(text(new ReturnDeadline(WEEK, false, List.of(READ, expired), Optional.empty())))
        .startsWith("dc2 needs a seed from dc1: trips.log-0: records 3 to 4 expired");
  }

  @Test
  void of_a_link_of_which_nothing_is_known_nothing_is_said() {
    var unknown = place(OptionalLong.empty(), 0);
    assertThat(text(new ReturnDeadline(WEEK, false, List.of(unknown), Optional.empty())))
        .startsWith("dc1 does not know how far dc2 has read its log");
  }

  private static String text(ReturnDeadline deadline) {
    return deadline.text("dc1", "dc2", NOW);
  }

  private static ReadPlace place(OptionalLong committed, long begin) {
    return new ReadPlace("trips.log", 0, committed, begin, 10);
  }
}
