package io.cellmesh.triggers;

import static io.cellmesh.topics.trigger.Order.ROW;
import static io.cellmesh.topics.trigger.Order.SHARD;
import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.FAILURE;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.trigger.CellAttempts;
import io.cellmesh.topics.trigger.Order;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DispatcherTest {
  @Test
  void in_order_by_shard_one_cell_of_a_shard_is_delivered_at_a_time() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 2).read(19, 1, 3);

    assertThat(process.begin()).containsExactly("3/1", "19/1");
    assertThat(process.begin()).isEmpty();
    assertThat(process.succeed().begin()).containsExactly("3/2");
  }

  @Test
  void in_order_by_row_other_rows_of_the_shard_overtake() {
    var process = new OneProcess(settings(ROW)).read(3, 1, 1).read(3, 2, 1).read(3, 3, 2);

    assertThat(process.begin()).containsExactly("3/1", "3/3");
    assertThat(process.succeed().begin()).containsExactly("3/2");
  }

  @Test
  void no_more_callbacks_run_at_once_than_the_user_chose_and_the_oldest_cells_come_first() {
    var process = new OneProcess(settings(SHARD, 2, 1));
    process.read(51, 1, 1).read(3, 1, 2).read(19, 1, 3).read(51, 2, 4);

    assertThat(process.begin()).containsExactly("51/1", "3/1");
    assertThat(process.succeed().begin()).containsExactly("19/1");
    assertThat(process.succeed().begin()).containsExactly("51/2");
  }

  @Test
  void partitions_take_turns() {
    var process = new OneProcess(settings(SHARD, 1, 1)).read(3, 1, 1).read(19, 1, 1);
    var other = new org.apache.kafka.common.TopicPartition("trips.log", 4);
    process.dispatcher.assign(other, new Assignment(0, "", Set.of(), Map.of()));
    process.dispatcher.read(
        other, new Delivery(0, 4, 1, row(4), "BASE", false, 10, null), process.now);

    assertThat(process.begin()).containsExactly("3/1");
    assertThat(process.succeed().begin()).containsExactly("4/1");
    assertThat(process.succeed().begin()).containsExactly("19/1");
  }

  @Test
  void progress_is_the_first_offset_that_is_not_finished() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(19, 1, 2).read(3, 2, 3);
    process.begin();
    assertThat(process.progress()).isEqualTo(100);

    process.dispatcher.succeeded(process.running.remove(1), process.now);
    assertThat(process.progress()).isEqualTo(100);

    process.succeed();
    assertThat(process.progress()).isEqualTo(102);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void what_is_finished_beyond_the_offset_does_not_come_again(Order order) {
    var process = new OneProcess(settings(order)).read(3, 1, 1).read(19, 1, 2).read(35, 1, 3);
    process.begin();
    process.dispatcher.succeeded(process.running.remove(1), process.now);

    var next = process.successor(settings(order)).read(3, 1, 1).read(19, 1, 2).read(35, 1, 3);

    assertThat(next.begin()).containsExactly("3/1", "35/1");
    next.succeed().succeed();
    assertThat(next.progress()).isEqualTo(103);
  }

  @Test
  void what_a_process_before_finished_is_remembered_until_it_is_read() {
    var first = new OneProcess(settings(ROW)).read(3, 1, 1).read(3, 2, 2).read(3, 3, 3);
    first.begin();
    first.dispatcher.succeeded(first.running.remove(2), first.now);

    var second = first.successor(settings(ROW)).read(3, 1, 1);
    second.begin();
    second.succeed();
    var third = second.successor(settings(ROW)).read(3, 2, 2).read(3, 3, 3);

    assertThat(third.begin()).containsExactly("3/2");
  }

  @Test
  void in_order_by_row_a_cell_that_was_overtaken_is_not_taken_for_a_repeat() {
    var process = new OneProcess(settings(ROW)).read(3, 1, 1).read(3, 2, 2).read(3, 3, 3);
    process.begin();
    process.succeed();
    process.dispatcher.succeeded(process.running.remove(1), process.now);

    var next = process.successor(settings(ROW)).read(3, 2, 2).read(3, 3, 3);

    assertThat(next.begin()).containsExactly("3/2");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void a_repeat_is_finished_when_it_is_read(Order order) {
    var process = new OneProcess(settings(order)).read(3, 1, 1).read(3, 2, 2).read(3, 1, 1);
    process.begin();
    process.succeed();
    process.begin();
    process.succeed();
    assertThat(process.progress()).isEqualTo(103);

    var next = process.successor(settings(order)).read(3, 2, 2).read(3, 3, 1);

    assertThat(next.begin()).containsExactly("3/3");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void a_rebuilt_log_brings_what_lies_before_the_trigger_began_and_repeats_nothing(Order order) {
    var process = new OneProcess(settings(order)).read(3, 3, 1);
    process.begin();
    process.succeed();
    for (int id = 1; id <= 4; id++) {
      process.read(process.offset++, 3, id, id, "BASE", true);
      process.begin();
    }

    assertThat(process.running).hasSize(order == SHARD ? 1 : 3);
    process.succeed();
    process.begin();
    process.succeed();
    process.begin();
    process.succeed();
    assertThat(process.progress()).isEqualTo(105);
    assertThat(process.running).isEmpty();
  }

  @Test
  void cells_of_other_columns_are_finished_when_they_are_read() {
    var process = new OneProcess(settings(SHARD));
    process.read(100, 3, 1, 1, "STATUS", false).read(107, 3, 2, 1, "STATUS", false);

    assertThat(process.begin()).isEmpty();
    assertThat(process.progress()).isEqualTo(108);
  }

  @Test
  void a_batch_has_the_cells_of_one_shard() {
    var process = new OneProcess(settings(SHARD, 8, 2));
    process.read(3, 1, 1).read(19, 1, 2).read(3, 2, 3).read(3, 3, 4);

    assertThat(process.begin()).containsExactly("3/1 3/2", "19/1");
    assertThat(process.succeed().begin()).containsExactly("3/3");
  }

  @Test
  void in_order_by_row_a_batch_has_the_cells_of_many_rows_in_the_logs_order() {
    var process = new OneProcess(settings(ROW, 8, 3));
    process.read(3, 1, 1).read(19, 1, 2).read(3, 2, 1).read(3, 3, 3).read(3, 4, 1);

    assertThat(process.begin()).containsExactly("3/1 3/2 3/4", "19/1 3/3");
    assertThat(process.begin()).isEmpty();
  }

  @Test
  void of_a_batch_of_a_shard_that_failed_in_part_what_stands_behind_the_first_comes_again() {
    var process = new OneProcess(settings(SHARD, 8, 4));
    process.read(3, 1, 1).read(3, 2, 2).read(3, 3, 3);
    process.begin();

    process.failSome("3/2").pass(10);

    assertThat(process.progress()).isEqualTo(101);
    assertThat(process.begin()).containsExactly("3/2");
    assertThat(process.succeed().begin()).containsExactly("3/3");
  }

  @Test
  void of_a_batch_of_rows_that_failed_in_part_only_what_is_of_the_failed_row_comes_again() {
    var process = new OneProcess(settings(ROW, 8, 4));
    process.read(3, 1, 1).read(3, 2, 2).read(3, 3, 1).read(3, 4, 3);
    process.begin();

    process.failSome("3/1").pass(10);

    assertThat(process.begin()).containsExactly("3/1");
    assertThat(process.succeed().begin()).containsExactly("3/3");
    process.succeed();
    assertThat(process.progress()).isEqualTo(104);
  }

  @Test
  void of_a_batch_that_failed_without_a_word_each_cell_is_tried_alone_before_any_is_parked() {
    var process = new OneProcess(settings(SHARD, 8, 4));
    process.read(3, 1, 1).read(3, 2, 2).read(3, 3, 3);
    process.begin();

    process.fail(new ParkException("one of them")).pass(10);

    assertThat(process.dispatcher.park(process.now)).isEmpty();
    assertThat(process.begin()).containsExactly("3/1");
    assertThat(process.succeed().begin()).containsExactly("3/2");
    process.fail(new ParkException("this one"));
    assertThat(OneProcess.names(process.park())).containsExactly("3/2 CALLBACK");
  }

  @Test
  void a_cell_that_failed_is_tried_again_when_it_is_due() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 2);
    process.begin();

    process.fail(new RetryLaterException("later", java.time.Duration.ofSeconds(5)));

    assertThat(process.begin()).isEmpty();
    assertThat(process.dispatcher.due()).contains(Instant.ofEpochSecond(5));
    assertThat(process.pass(5).begin()).containsExactly("3/1");
    assertThat(process.running.get(0).cells.get(0).attempt()).isEqualTo(2);
  }

  @Test
  void attempts_are_noted_before_a_retry_and_forgotten_when_the_cell_is_done() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    process.succeed().commit().read(3, 2, 2);
    process.dispatcher.cleared();
    process.begin();
    assertThat(process.running.get(0).notes()).isEmpty();

    process.fail(FAILURE).pass(10).begin();

    assertThat(process.running.get(0).notes())
        .containsExactly(
            new Note(
                AT,
                row(2),
                Optional.of(new CellAttempts(101, 2, 2, Instant.EPOCH, Instant.EPOCH))));
    process.succeed();
    assertThat(process.dispatcher.cleared())
        .containsExactly(new Note(AT, row(2), Optional.empty()));
    assertThat(process.dispatcher.cleared()).isEmpty();
  }

  @Test
  void until_the_first_commit_first_attempts_are_noted_as_well() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 2);
    process.begin();
    assertThat(process.running.get(0).notes()).hasSize(1);

    process.succeed().commit().begin();

    assertThat(process.running.get(0).notes()).isEmpty();
  }

  @Test
  void a_cell_whose_attempts_ended_with_their_processes_is_parked_without_another() {
    var noted = new CellAttempts(100, 1, OneProcess.LIMIT, Instant.EPOCH, Instant.EPOCH);
    var process =
        new OneProcess(settings(SHARD), new Assignment(100, "", Set.of(), Map.of(row(1), noted)));

    assertThat(process.read(3, 1, 1).begin()).isEmpty();
    assertThat(OneProcess.names(process.park())).containsExactly("3/1 DIED");
  }

  @Test
  void cells_that_may_have_killed_a_process_are_tried_one_after_the_other() {
    var noted = new CellAttempts(100, 1, 1, Instant.EPOCH, Instant.EPOCH);
    var other = new CellAttempts(101, 1, 1, Instant.EPOCH, Instant.EPOCH);
    var process =
        new OneProcess(
            settings(SHARD),
            new Assignment(100, "", Set.of(), Map.of(row(1), noted, row(2), other)));

    process.read(3, 1, 1).read(19, 1, 2).read(35, 1, 3);

    assertThat(process.begin()).containsExactly("3/1", "35/1");
    assertThat(process.running.get(0).cells.get(0).attempt()).isEqualTo(2);
    assertThat(process.fail(FAILURE).begin()).containsExactly("19/1");
  }

  @Test
  void what_ends_after_the_partition_was_lost_does_not_count() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    process.dispatcher.lost(AT);
    process.dispatcher.assign(AT, new Assignment(100, "", Set.of(), Map.of()));
    process.offset = 100;
    process.read(3, 1, 1);

    assertThat(process.begin()).as("while the lost one runs").isEmpty();
    process.succeed();
    assertThat(process.progress()).isEqualTo(100);
    assertThat(process.begin()).containsExactly("3/1");
  }

  @Test
  void of_a_revoked_partition_nothing_begins_and_what_runs_counts() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 2);
    process.begin();

    process.dispatcher.revoke(AT);

    assertThat(process.dispatcher.wants(AT)).isFalse();
    assertThat(process.dispatcher.running(AT)).isEqualTo(1);
    assertThat(process.succeed().begin()).isEmpty();
    assertThat(process.dispatcher.running(AT)).isZero();
    assertThat(process.progress()).isEqualTo(101);
  }

  @Test
  void while_paused_nothing_begins_and_what_runs_counts() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 2);
    process.begin();
    process.dispatcher.pause(true);

    assertThat(process.succeed().begin()).isEmpty();
    assertThat(process.progress()).isEqualTo(101);
    process.dispatcher.pause(false);
    assertThat(process.begin()).containsExactly("3/2");
  }

  @Test
  void a_rewound_partition_delivers_again_what_it_finished() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    assertThatThrownBy(() -> process.dispatcher.rewind(AT, 100))
        .isInstanceOf(IllegalStateException.class);
    process.succeed();

    assertThat(process.dispatcher.rewind(AT, 100)).isEqualTo(new Commit(100, ""));

    process.offset = 100;
    assertThat(process.read(3, 1, 1).begin()).containsExactly("3/1");
  }

  @Test
  void while_a_shard_is_held_nothing_of_it_begins() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    assertThat(process.dispatcher.hold(AT, 3, row(9))).isFalse();
    process.succeed();
    assertThat(process.dispatcher.hold(AT, 3, row(9))).isTrue();

    assertThat(process.read(3, 2, 1).read(19, 1, 2).begin()).containsExactly("19/1");
    process.dispatcher.release(AT, 3);
    assertThat(process.begin()).containsExactly("3/2");
  }

  @Test
  void while_halted_nothing_of_a_shard_that_is_held_could_be_tried() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(19, 1, 2);
    process.begin();
    process.fail(FAILURE).fail(FAILURE);
    process.dispatcher.halt(true, process.now);
    assertThat(process.dispatcher.mayProbe()).isTrue();

    assertThat(process.dispatcher.hold(AT, 3, row(9))).isTrue();
    assertThat(process.dispatcher.mayProbe()).isTrue();
    assertThat(process.dispatcher.hold(AT, 19, row(9))).isTrue();
    assertThat(process.dispatcher.mayProbe()).isFalse();
    assertThat(process.pass(10).begin()).isEmpty();

    process.dispatcher.release(AT, 19);
    assertThat(process.dispatcher.mayProbe()).isTrue();
    assertThat(process.begin()).containsExactly("19/1");
  }

  @Test
  void while_a_replay_that_was_given_up_calls_back_nothing_else_of_its_partition_does() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.dispatcher.stray(AT);
    process.dispatcher.stray(AT);

    assertThat(process.begin()).isEmpty();
    assertThat(process.dispatcher.hold(AT, 19, row(9))).isFalse();
    process.dispatcher.strayEnded(AT);
    assertThat(process.begin()).isEmpty();
    process.dispatcher.strayEnded(AT);

    assertThat(process.begin()).containsExactly("3/1");
    assertThat(process.dispatcher.hold(AT, 19, row(9))).isTrue();
  }

  @Test
  void a_shard_that_is_always_busy_is_held_once_what_ran_when_it_was_asked_for_has_ended() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 1);
    process.begin();
    assertThat(process.dispatcher.hold(AT, 3, row(9))).isFalse();

    assertThat(process.succeed().begin()).isEmpty();
    assertThat(process.dispatcher.hold(AT, 3, row(9))).isTrue();
    process.dispatcher.release(AT, 3);
    assertThat(process.begin()).containsExactly("3/2");
  }
}
