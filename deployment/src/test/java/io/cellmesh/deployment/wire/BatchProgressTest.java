package io.cellmesh.deployment.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchProgressTest {
  private final BatchProgress progress = new BatchProgress(Map.of(0, 5L, 1, 0L));

  @Test
  void each_batch_begins_where_the_one_before_ended() {
    take(new Stretch(0, 5, 9, 12), new Stretch(1, 0, 0, 1));
    take(new Stretch(0, 9, 10, 12));

    assertThat(progress.unwritten()).isEqualTo(Map.of(0, 10L));
    assertThat(progress.behind()).isEqualTo(3);
    progress.written();
    assertThat(progress.unwritten()).isEmpty();
    take(new Stretch(0, 10, 12, 12), new Stretch(1, 0, 1, 1));
    assertThat(progress.unwritten()).isEqualTo(Map.of(0, 12L, 1, 1L));
    assertThat(progress.behind()).isZero();
  }

  @Test
  void a_batch_that_repeats_or_leaves_out_is_refused_and_so_is_a_partition_that_nobody_asked_for() {
    take(new Stretch(0, 5, 9, 9));

    assertThatThrownBy(() -> take(new Stretch(0, 5, 9, 9)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a batch begins at offset 5 of partition 0, and the one before ended at 9");
    assertThatThrownBy(() -> take(new Stretch(1, 0, 1, 1), new Stretch(0, 10, 11, 11)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begins at offset 10");
    assertThatThrownBy(() -> take(new Stretch(2, 0, 1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("partition 2, which was not asked for");
    assertThat(progress.unwritten()).isEqualTo(Map.of(0, 9L));
  }

  private void take(Stretch... stretches) {
    var batch = new Batch(List.of(stretches), Batch.NONE, Map.of(), List.of());
    progress.check(batch);
    progress.advance(batch);
  }
}
