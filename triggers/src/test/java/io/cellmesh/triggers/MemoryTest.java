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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryTest {
  @Test
  void a_blocked_shard_keeps_some_cells_and_reads_the_rest_again_when_it_goes_on() {
    var process = new OneProcess(settings(SHARD));
    for (int id = 1; id <= 5; id++) {
      process.read(3, id, id);
    }
    process.begin();
    process.fail(FAILURE);
    assertThat(process.dispatcher.cells()).as("the head and two behind it").isEqualTo(3);
    process.read(3, 6, 6).read(19, 1, 7).begin();
    process.succeed();
    assertThat(process.dispatcher.seek(AT)).isEmpty();
    assertThat(process.dispatcher.cells()).isEqualTo(3);

    for (int i = 0; i < 3; i++) {
      process.pass(10).begin();
      process.succeed();
    }

    assertThat(process.progress()).isEqualTo(103);
    assertThat(process.dispatcher.seek(AT)).hasValue(103);
    process.offset = 103;
    process.read(3, 4, 4).read(3, 5, 5).read(3, 6, 6).read(19, 1, 7).read(3, 7, 1);
    var begun = new ArrayList<String>();
    for (var some = process.begin(); !some.isEmpty(); some = process.begin()) {
      begun.addAll(some);
      process.succeed();
    }
    assertThat(begun).containsExactly("3/4", "3/5", "3/6", "3/7");
    assertThat(process.progress()).isEqualTo(108);
    assertThat(process.dispatcher.seek(AT)).isEmpty();
  }

  @Test
  void records_that_find_no_room_are_left_out_and_read_again() {
    var process = new OneProcess(settings(ROW, 8, 1, true, new Bounds(4, 1_000, 1)));
    for (int id = 1; id <= 6; id++) {
      process.read(3, id, id);
    }

    assertThat(process.dispatcher.cells()).isEqualTo(4);
    assertThat(process.dispatcher.wants(AT)).isFalse();
    assertThat(process.dispatcher.seek(AT)).hasValue(104);
    process.begin();
    process.succeed().succeed();
    assertThat(process.dispatcher.wants(AT)).isTrue();
    process.offset = 104;
    assertThat(process.read(3, 5, 5).read(3, 6, 6).begin()).containsExactly("3/5", "3/6");
  }

  @Test
  void bytes_are_bounded_as_well_but_for_a_single_cell() {
    var process = new OneProcess(settings(ROW, 8, 1, true, new Bounds(100, 25, 1)));
    process.read(3, 1, 1).read(3, 2, 2);
    assertThat(process.dispatcher.wants(AT)).isFalse();
    process.read(3, 3, 3);
    assertThat(process.dispatcher.bytes()).isEqualTo(20);

    var small = new OneProcess(settings(ROW, 8, 1, true, new Bounds(100, 5, 1)));
    assertThat(small.read(3, 1, 1).begin()).containsExactly("3/1");
  }

  @Test
  void nothing_is_read_or_begun_ahead_for_which_a_commit_has_no_room() {
    var process = new OneProcess(settings(ROW, 1, 1, true, new Bounds(100_000, 100_000_000, 1)));
    process.read(3, 1, 0);
    process.begin();
    process.fail(new RetryLaterException("later", java.time.Duration.ofSeconds(8)));
    int id = 2;
    while (process.dispatcher.wants(AT) && id < 100_000) {
      // Every second one is of a row whose first cell is tried again: it cannot be finished.
      process.read(3, id, id % 2 == 0 ? 0 : id);
      id++;
      process.begin();
      if (!process.running.isEmpty()) {
        process.succeed();
      }
    }

    var metadata = process.dispatcher.commit(AT).orElseThrow().metadata();
    assertThat(id).isBetween(1_000, 3_000);
    assertThat(metadata.length()).isLessThan(Finished.LONGEST);
    assertThat(Finished.decode(100, metadata).runs()).hasSize((id - 2) / 2);

    process.pass(10);
    assertThat(process.begin()).as("the first that is unfinished").containsExactly("3/1");
    for (int i = 0; i < 50; i++) {
      process.succeed();
      process.begin();
    }
    assertThat(process.dispatcher.wants(AT)).isTrue();
  }

  @Test
  void a_cell_that_can_not_be_taken_in_for_want_of_memory_is_not_passed() {
    var usual = settings(ROW);
    // Without rules for retries what was noted of a cell can't be taken over.
    var failing = new Settings(ROW, 8, () -> 1, usual.accepts(), true, 30, usual.bounds(), null);
    var noted = Map.of(row(1), new CellAttempts(100, 1, 1, Instant.EPOCH, Instant.EPOCH));
    var process = new OneProcess(failing, new Assignment(100, "", Set.of(), noted));

    assertThatThrownBy(() -> process.read(3, 1, 1)).isInstanceOf(NullPointerException.class);

    assertThat(process.progress()).isEqualTo(100);
  }

  @Test
  void partitions_share_the_memory() {
    var process = new OneProcess(settings(ROW, 8, 1, true, new Bounds(16, 1_000, 1)));
    process.dispatcher.assign(
        new org.apache.kafka.common.TopicPartition("trips.log", 4),
        new Assignment(0, "", Set.of(), Map.of()));
    for (int id = 1; id <= 6; id++) {
      assertThat(process.dispatcher.wants(AT)).isTrue();
      process.read(3, id, id);
    }

    assertThat(process.dispatcher.wants(AT)).isFalse();
  }
}
