package io.cellmesh.operations.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.trigger.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A trigger never skips a cell that the log has (invariant 12). */
class RewindTargetTest {
  private static final Start EARLIEST = new Start.Beginning();
  private static final Start TIME = new Start.Time(Instant.EPOCH);
  private static final Start OFFSET = new Start.Offsets(List.of(0L));

  @Test
  void it_goes_back_but_not_on() {
    var at50 = at(OptionalLong.of(50), 10, 90);

    assertThat(go(at50, EARLIEST, 10, false)).hasValue(10L);
    assertThat(go(at50, OFFSET, 49, false)).hasValue(49L);
    assertThat(go(at50, OFFSET, 50, false)).as("where it is").isEmpty();
    assertThat(go(at50, TIME, 70, false)).as("what is younger comes anyway").isEmpty();
    assertThatThrownBy(() -> go(at50, OFFSET, 51, true))
        .isInstanceOf(OperationException.class)
        .hasMessage(
            "to = 51: would skip the cells of trips.log-3 from 50 on, and a trigger never does");
  }

  @Test
  void an_offset_that_the_partition_does_not_hold_is_refused() {
    var at50 = at(OptionalLong.of(50), 10, 90);

    assertThatThrownBy(() -> go(at50, OFFSET, 9, true))
        .hasMessage("to = 9: trips.log-3 holds 10 to 90");
    assertThatThrownBy(() -> go(at50, OFFSET, 91, true)).hasMessageContaining("holds 10 to 90");
  }

  @Test
  void behind_what_has_expired_it_goes_on_with_the_first_that_there_is_once_that_is_accepted() {
    var expired = at(OptionalLong.of(5), 10, 90);

    assertThatThrownBy(() -> go(expired, EARLIEST, 10, false))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("records 5 to 9 expired before they were read")
        .hasMessageContaining("--what-is-left");
    assertThat(go(expired, EARLIEST, 10, true)).hasValue(10L);
    assertThat(go(expired, TIME, 70, true)).as("no further than it must").hasValue(10L);
    assertThatThrownBy(() -> go(expired, OFFSET, 11, true)).hasMessageContaining("would skip");
  }

  @Test
  void where_its_place_is_gone_only_the_first_record_of_all_loses_nothing() {
    var gone = at(OptionalLong.empty(), 0, 90);

    assertThat(go(gone, EARLIEST, 0, false)).hasValue(0L);
    assertThatThrownBy(() -> go(gone, TIME, 70, false))
        .hasMessageContaining("its place is gone")
        .hasMessageContaining("--what-is-left");
    assertThat(go(gone, TIME, 70, true)).hasValue(70L);
    assertThatThrownBy(() -> go(at(OptionalLong.empty(), 10, 90), EARLIEST, 10, false))
        .hasMessageContaining("--what-is-left");
  }

  @Test
  void in_a_log_that_was_made_again_it_may_begin_with_the_first_record() {
    var another = at(OptionalLong.of(500), 0, 90);

    assertThat(go(another, EARLIEST, 0, false)).hasValue(0L);
    assertThatThrownBy(() -> go(another, OFFSET, 90, false)).hasMessageContaining("--what-is-left");
    assertThat(go(another, OFFSET, 90, true)).hasValue(90L);
  }

  private static Optional<Long> go(
      PartitionStatus partition, Start asked, long target, boolean whatIsLeft) {
    return new RewindTarget(partition, asked, whatIsLeft).of(target);
  }

  private static PartitionStatus at(OptionalLong committed, long begin, long end) {
    return new PartitionStatus(
        true, new ReadPlace("trips.log", 3, committed, begin, end), 0, Duration.ZERO, 0, 0, 0);
  }
}
