package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeliveriesTest {
  private final Deliveries deliveries = new Deliveries();

  @Test
  void a_cell_that_comes_again_is_a_repeat_and_breaks_no_order() {
    add(1, 5, 7, 8, 7, 5, 9);

    assertThat(deliveries.cells()).isEqualTo(4);
    assertThat(deliveries.repeats()).isEqualTo(2);
    assertThat(deliveries.reordered()).isZero();
  }

  @Test
  void a_cell_that_comes_first_after_a_later_one_of_its_shard_is_out_of_order() {
    add(1, 5, 8, 7, 7);
    add(2, 6);

    assertThat(deliveries.reordered()).isEqualTo(1);
    assertThat(deliveries.cells()).isEqualTo(4);
    assertThat(deliveries.has(1, 7)).isTrue();
  }

  @Test
  void what_did_not_come_is_missing() {
    add(1, 5, 7);

    assertThat(deliveries.has(1, 6)).isFalse();
    assertThat(deliveries.has(1, 8)).isFalse();
    assertThat(deliveries.has(2, 5)).isFalse();
  }

  @Test
  void many_cells_are_remembered() {
    for (int id = 1; id <= 1_000; id++) {
      deliveries.add(3, id);
    }
    assertThat(deliveries.has(3, 1)).isTrue();
    assertThat(deliveries.has(3, 1_000)).isTrue();
    assertThat(deliveries.has(3, 1_001)).isFalse();
  }

  private void add(int shard, long... ids) {
    for (long id : ids) {
      deliveries.add(shard, id);
    }
  }
}
