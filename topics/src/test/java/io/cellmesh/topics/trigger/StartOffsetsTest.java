package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.TopicOffsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Starts that nobody has to be asked for. */
class StartOffsetsTest {
  private static final TopicOffsets WHOLE =
      new TopicOffsets("trips.log", List.of(0L, 0L), List.of(9L, 7L));
  private static final TopicOffsets CUT =
      new TopicOffsets("trips.log", List.of(0L, 4L), List.of(9L, 7L));

  @Test
  void now_is_behind_what_is_committed() {
    assertThat(of(CUT, new Start.Now(), false)).containsExactly(9L, 7L);
  }

  @Test
  void a_log_that_lost_its_first_records_has_no_beginning_but_what_is_left() {
    assertThat(of(WHOLE, new Start.Beginning(), false)).containsExactly(0L, 0L);
    assertThatThrownBy(() -> of(CUT, new Start.Beginning(), false))
        .isInstanceOf(TriggerRefusedException.class)
        .hasMessageContaining("start = beginning: trips.log-1 begins at offset 4")
        .hasMessageContaining("--what-is-left");
    assertThat(of(CUT, new Start.Beginning(), true)).containsExactly(0L, 4L);
  }

  @Test
  void offsets_are_one_a_partition_and_within_it() {
    assertThat(of(CUT, offsets(9, 4), false)).containsExactly(9L, 4L);
    assertThatThrownBy(() -> of(CUT, offsets(9), false))
        .hasMessage("start = 1 offsets: trips.log has 2 partitions, and each needs one");
    assertThatThrownBy(() -> of(CUT, offsets(9, 3), false))
        .hasMessage("start = offset 3: trips.log-1 holds 4 to 7");
    assertThatThrownBy(() -> of(CUT, offsets(10, 4), false))
        .hasMessage("start = offset 10: trips.log-0 holds 0 to 9");
  }

  private static List<Long> of(TopicOffsets topic, Start start, boolean whatIsLeft) {
    return StartOffsets.of(null, topic, start, whatIsLeft);
  }

  private static Start offsets(long... offsets) {
    return new Start.Offsets(Arrays.stream(offsets).boxed().toList());
  }
}
