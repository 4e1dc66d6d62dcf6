package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.BufferListing.ListedCopy;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneReachTest {

  @Test
  void what_is_applied_does_not_wait() {
    var reach = LaneReach.of(List.of(copy(0, 10, 5, 1000), copy(10, 20, 5, 900)), 20);
    assertThat(reach.waitingCells()).isZero();
    assertThat(reach.oldestMillis()).isZero();
    assertThat(reach.gaps()).isEmpty();
  }

  @Test
  void copies_that_join_are_counted_and_the_oldest_that_has_cells_tells_the_age() {
    var reach =
        LaneReach.of(
            List.of(copy(20, 30, 0, 5000), copy(10, 20, 7, 900), copy(30, 40, 2, 800)), 10);
    assertThat(reach.waitingCells()).isEqualTo(9);
    assertThat(reach.oldestMillis()).isEqualTo(900);
    assertThat(reach.gaps()).isEmpty();
  }

  @Test
  void a_cell_that_two_secondaries_hold_is_counted_once() {
    var reach = LaneReach.of(List.of(copy(10, 20, 7, 900), copy(10, 20, 7, 901)), 10);
    assertThat(reach.waitingCells()).isEqualTo(7);
  }

  @Test
  void a_copy_within_a_longer_one_adds_nothing() {
    var reach =
        LaneReach.of(List.of(copy(10, 40, 9, 1), copy(12, 20, 3, 1), copy(40, 41, 1, 1)), 10);
    assertThat(reach.waitingCells()).isEqualTo(10);
    assertThat(reach.gaps()).isEmpty();
  }

  @Test
  void each_gap_is_named_and_what_follows_it_still_waits() {
    var reach =
        LaneReach.of(List.of(copy(15, 20, 2, 10), copy(20, 25, 1, 9), copy(30, 40, 4, 8)), 10);
    assertThat(reach.gaps())
        .containsExactly(new LaneReach.OffsetGap(10, 15), new LaneReach.OffsetGap(25, 30));
    assertThat(reach.waitingCells()).isEqualTo(7);
  }

  private static ListedCopy copy(long previous, long next, long cells, long ageMillis) {
    return new ListedCopy(
        previous * 1000 + next, "c1", IngestTopic.CELLS, 3, previous, next, cells, ageMillis);
  }
}
