package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.TriggerTopicReach;
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

  @Test
  void the_topic_of_a_column_begins_where_each_partition_has_all_that_the_log_holds() {
    var filled = reach(0);
    filled.log(0, 4);
    filled.topic(0, 0, 4);
    var rebuilt = reach(0);
    rebuilt.log(1, 3);
    rebuilt.log(1, 4);
    rebuilt.topic(0, 1, 4);
    rebuilt.topic(1, 1, 3);
    rebuilt.topic(2, 1, 4);

    assertThat(StartOffsets.whole("trips.trigger.BASE", List.of(filled, rebuilt, reach(5))))
        .containsExactly(0L, 1L, 5L);
  }

  @Test
  void the_topic_of_a_column_that_lacks_cells_has_no_beginning_and_the_shard_is_named() {
    var lacking = reach(0);
    lacking.log(1, 3);
    lacking.log(1, 4);
    lacking.topic(0, 1, 4);

    assertThatThrownBy(() -> StartOffsets.whole("trips.trigger.BASE", List.of(reach(0), lacking)))
        .isInstanceOf(TriggerRefusedException.class)
        .hasMessageStartingWith(
            "start = beginning: trips.trigger.BASE has 0 of the 2 cells that the log holds of shard 1; say --what-is-left");
  }

  @Test
  void the_topic_of_a_column_that_was_rebuilt_one_shard_after_another_has_no_beginning() {
    var apart = reach(0);
    for (int shard = 0; shard < 2; shard++) {
      apart.log(shard, 1);
      apart.log(shard, 2);
    }
    apart.topic(0, 0, 2);
    apart.topic(1, 1, 2);
    apart.topic(2, 0, 1);
    apart.topic(3, 0, 2);
    apart.topic(4, 1, 3);
    apart.topic(5, 0, 3);
    apart.topic(6, 1, 1);
    apart.topic(7, 1, 2);

    assertThatThrownBy(() -> StartOffsets.whole("trips.trigger.BASE", List.of(apart)))
        .isInstanceOf(TriggerRefusedException.class)
        .hasMessageContaining("trips.trigger.BASE-0 has each shard whole, but no place");
  }

  private static TriggerTopicReach reach(long retained) {
    return new TriggerTopicReach(retained);
  }

  private static List<Long> of(TopicOffsets topic, Start start, boolean whatIsLeft) {
    return StartOffsets.of(null, topic, start, whatIsLeft);
  }

  private static Start offsets(long... offsets) {
    return new Start.Offsets(Arrays.stream(offsets).boxed().toList());
  }
}
