package io.cellmesh.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.TriggerTopicReach.Shortfall;
import org.junit.jupiter.api.Test;

class TriggerTopicReachTest {
  private TriggerTopicReach reach = new TriggerTopicReach(0);
  private long offset;

  @Test
  void a_topic_that_was_filled_from_the_first_cell_on_is_whole_from_its_first_record_on() {
    log(0, 3, 4, 9);
    log(4, 1);
    topic(0, 3, 4);
    topic(4, 1);
    topic(0, 9);

    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).hasValue(0);
  }

  @Test
  void a_topic_that_began_later_in_one_shard_is_not_whole_and_the_shard_is_named() {
    log(0, 1, 2, 3);
    log(4, 1, 2);
    topic(0, 2, 3);
    topic(4, 1, 2);

    assertThat(reach.shortfalls()).containsExactly(new Shortfall(0, 1, 3, 0));
    assertThat(reach.beginning()).isEmpty();
  }

  @Test
  void a_shard_of_which_the_topic_has_nothing_is_not_whole() {
    log(4, 7);

    assertThat(reach.shortfalls()).containsExactly(new Shortfall(4, 7, 1, 0));
    assertThat(reach.beginning()).isEmpty();
  }

  @Test
  void a_gap_while_the_setting_did_not_hold_is_found() {
    log(0, 1, 2, 3, 4, 5);
    topic(0, 1, 2, 5);

    assertThat(reach.shortfalls()).containsExactly(new Shortfall(0, 1, 5, 3));
    assertThat(reach.beginning()).isEmpty();
  }

  @Test
  void a_rebuild_makes_a_topic_whole_that_began_later_and_the_reader_begins_with_it() {
    log(0, 1, 2, 3);
    log(4, 5, 6);
    topic(0, 3);
    topic(4, 6);
    log(0, 1, 2, 3);
    log(4, 5, 6);
    topic(0, 1, 2, 3);
    topic(4, 5, 6);

    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).hasValue(2);
  }

  @Test
  void a_rebuild_closes_a_gap_too_and_the_reader_begins_with_it() {
    log(0, 1, 2, 3, 4, 1, 2, 3, 4);
    topic(0, 1, 2, 4);
    topic(0, 1, 2, 3, 4);

    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).hasValue(3);
  }

  @Test
  void a_rebuild_behind_a_whole_topic_does_not_move_its_beginning() {
    log(0, 1, 2);
    log(0, 1, 2);
    topic(0, 1, 2);
    topic(0, 1, 2);

    assertThat(reach.beginning()).hasValue(0);
  }

  @Test
  void shards_that_were_rebuilt_one_after_another_are_whole_but_have_no_beginning_together() {
    log(0, 1, 2);
    log(4, 1, 2);
    topic(0, 2);
    topic(4, 2);
    topic(0, 1, 2);
    topic(4, 3);
    topic(0, 3);
    topic(4, 1, 2, 3);

    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).isEmpty();
  }

  @Test
  void what_a_dead_worker_left_to_be_repeated_changes_nothing() {
    log(0, 1, 2, 1, 2, 3);
    topic(0, 1);
    topic(0, 1, 2, 3);

    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).hasValue(0);
  }

  @Test
  void a_topic_may_reach_further_back_than_the_log_and_on_behind_its_noted_end() {
    reach = new TriggerTopicReach(100);
    offset = 100;
    log(0, 5, 6);
    topic(0, 1, 4, 5, 6, 7);
    topic(4, 1);

    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).hasValue(100);
  }

  @Test
  void a_column_of_which_the_log_has_nothing_has_a_whole_topic() {
    assertThat(reach.shortfalls()).isEmpty();
    assertThat(reach.beginning()).hasValue(0);
  }

  private void log(int shard, long... addedIds) {
    for (long addedId : addedIds) {
      reach.log(shard, addedId);
    }
  }

  private void topic(int shard, long... addedIds) {
    for (long addedId : addedIds) {
      reach.topic(offset++, shard, addedId);
    }
  }
}
