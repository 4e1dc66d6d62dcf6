package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OwnedOffsetsTest {

  @Test
  void a_position_counts_only_the_owners_own_cells() {
    var offsets = new OwnedOffsets(2, 2);
    int[] owners = {0, 1, 1, 0, 1};
    for (int i = 0; i < owners.length; i++) {
      offsets.add(1, i, owners[i]);
    }

    assertThat(offsets.below(1, 0, 0)).isZero();
    assertThat(offsets.below(1, 0, 3)).isEqualTo(1);
    assertThat(offsets.below(1, 0, 5)).isEqualTo(2);
    assertThat(offsets.below(1, 1, 2)).isEqualTo(1);
    assertThat(offsets.below(1, 1, 99)).as("past the last one produced").isEqualTo(3);
    assertThat(offsets.below(0, 0, 99)).as("another partition").isZero();
  }

  @Test
  void cells_that_come_later_are_counted_by_the_next_position() {
    var offsets = new OwnedOffsets(1, 1);
    for (int i = 0; i < 5000; i++) {
      offsets.add(0, i, 0);
      assertThat(offsets.below(0, 0, i + 1)).isEqualTo(i + 1);
    }
  }

  @Test
  void an_offset_that_was_left_out_is_noticed() {
    var offsets = new OwnedOffsets(1, 1);
    offsets.add(0, 0, 0);

    assertThatThrownBy(() -> offsets.add(0, 2, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("offset 2");
  }
}
