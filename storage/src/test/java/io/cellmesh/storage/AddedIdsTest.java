package io.cellmesh.storage;

import static io.cellmesh.storage.AddedIds.PER_EPOCH;
import static io.cellmesh.storage.AddedIds.first;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddedIdsTest {
  @Test
  void every_epoch_begins_a_range_of_its_own() {
    assertThat(first(2, 0)).isEqualTo(1_000_000_000_001L);
    assertThat(first(2, 4711)).isEqualTo(1_000_000_000_001L);
    assertThat(first(3, first(2, 4711) + 5)).isEqualTo(2_000_000_000_001L);
  }

  @Test
  void it_is_the_same_until_a_cell_is_written() {
    assertThat(first(2, 4711)).isEqualTo(first(2, 4711));
  }

  @Test
  void a_master_whose_promotion_the_next_one_never_heard_of_is_jumped_over_too() {
    assertThat(first(3, 4711)).as("epoch 2 was lost with its server").isEqualTo(2 * PER_EPOCH + 1);
  }

  @Test
  void a_shard_that_has_used_up_its_range_goes_on_behind_it() {
    assertThat(first(2, PER_EPOCH)).isEqualTo(2 * PER_EPOCH + 1);
    assertThat(first(2, 3 * PER_EPOCH + 7)).isEqualTo(4 * PER_EPOCH + 1);
  }

  @Test
  void the_ids_of_an_epoch_are_beyond_one_that_somebody_knows() {
    for (long known : new long[] {-1, 0, 1, 4711, PER_EPOCH, PER_EPOCH + 1, 5 * PER_EPOCH}) {
      int epoch = AddedIds.epochBeyond(known);
      assertThat(first(epoch, 0)).as("known: %d", known).isGreaterThan(known);
    }
    assertThat(AddedIds.epochBeyond(PER_EPOCH)).isEqualTo(2);
    assertThat(AddedIds.epochBeyond(PER_EPOCH + 1)).isEqualTo(3);
  }

  @Test
  void ids_stay_whole_numbers_in_every_reader_of_json_for_nine_thousand_promotions() {
    assertThat(first(9_000, 0)).isLessThan(1L << 53);
  }
}
