package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.BufferListing.ListedCopy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LaneWaitingTest {
  @Test
  void what_the_primary_has_does_not_wait() {
    assertThat(waiting(20, copy(0, 10, 5, 1000), copy(10, 20, 5, 900)).cells()).isZero();
    assertThat(waiting(20, copy(0, 10, 5, 1000), copy(10, 20, 5, 900)).oldestMillis()).isZero();
  }

  @Test
  void two_copies_of_the_same_cells_count_once() {
    var waiting = waiting(10, copy(10, 20, 7, 900), copy(20, 30, 2, 10), copy(10, 20, 7, 901));
    assertThat(waiting.cells()).isEqualTo(9);
    assertThat(waiting.oldestMillis()).isEqualTo(900);
  }

  @Test
  void an_empty_copy_tells_only_that_nothing_is_missing() {
    var waiting = waiting(10, copy(10, 500, 0, 60_000));
    assertThat(waiting.cells()).isZero();
    assertThat(waiting.oldestMillis()).isZero();
  }

  @Test
  void a_long_outage_is_counted_whatever_the_order_of_its_copies() {
    var copies = new ArrayList<ListedCopy>();
    for (int i = 0; i < 30_000; i++) {
      copies.add(copy(i * 10L, i * 10L + 10, 3, i));
      copies.add(copy(i * 10L, i * 10L + 10, 3, i));
    }
    Collections.rotate(copies, 777);
    assertThat(waiting(0, copies.toArray(ListedCopy[]::new)).cells()).isEqualTo(90_000);
    Collections.shuffle(copies.subList(0, 10_000), new Random(8));
    assertThat(waiting(0, copies.toArray(ListedCopy[]::new)).cells()).isEqualTo(90_000);
  }

  private static LaneWaiting waiting(long position, ListedCopy... copies) {
    var waiting = new LaneWaiting(position);
    List.of(copies).forEach(waiting::add);
    return waiting;
  }

  private static ListedCopy copy(long previous, long next, int cells, long ageMillis) {
    return new ListedCopy(1, "c1", IngestTopic.CELLS, 0, previous, next, cells, ageMillis);
  }
}
