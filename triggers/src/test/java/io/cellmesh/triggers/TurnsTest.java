package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.CellAttempts;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Reason;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final TopicPartition OTHER = new TopicPartition("trips.log", 4);

  private final Set<TopicPartition> blocked = new HashSet<>();
  private final Turns turns = new Turns(partition -> !blocked.contains(partition.at));
  private final PartitionProgress partition = partition(AT);
  private final PartitionProgress other = partition(OTHER);
  private long offset = 100;

  @Test
  void partitions_take_turns_and_of_each_the_oldest_cell_comes_first() {
    var older = lane(partition, 19);
    var newer = lane(partition, 3);
    turns.ready(newer);
    turns.ready(older);
    var others = lane(other, 4);
    turns.ready(others);

    assertThat(next()).isSameAs(older);
    assertThat(next()).isSameAs(others);
    assertThat(next()).isSameAs(newer);
    assertThat(next()).isNull();
  }

  @Test
  void a_lane_that_failed_has_no_turn_before_it_is_due() {
    var lane = lane(partition, 3);
    fail(lane, 0);
    lane.head().retry(at(5));
    turns.waits(lane);

    assertThat(turns.due()).isEqualTo(at(5));
    assertThat(turns.next(at(4))).isNull();
    assertThat(turns.next(at(5))).isSameAs(lane);
    assertThat(turns.due()).isEqualTo(Instant.MAX);
    assertThat(turns.hasFree()).isFalse();
  }

  @Test
  void of_cells_that_may_have_killed_a_process_one_has_a_turn_at_a_time() {
    var suspect = suspect(lane(partition, 3));
    var another = suspect(lane(partition, 19));
    var harmless = lane(partition, 35);
    turns.ready(suspect);
    turns.ready(another);
    turns.ready(harmless);
    assertThat(next()).isSameAs(suspect);
    turns.began(suspect);

    assertThat(next()).isSameAs(harmless);
    assertThat(next()).isNull();
    turns.suspectEnded();
    assertThat(next()).isSameAs(another);
  }

  @Test
  void a_shard_that_somebody_else_calls_back_for_has_no_turn_until_that_has_ended() {
    var lane = lane(partition, 3);
    lane.held = true;
    turns.ready(lane);
    assertThat(next()).isNull();
    assertThat(turns.triedLongestAgo()).isNull();

    lane.held = false;
    turns.released();

    assertThat(next()).isSameAs(lane);
  }

  @Test
  void a_partition_that_may_not_deliver_has_no_turn_until_it_is_listed_again() {
    var lane = lane(partition, 3);
    turns.ready(lane);
    blocked.add(AT);
    assertThat(next()).isNull();
    blocked.clear();
    assertThat(next()).isNull();

    turns.list(partition);

    assertThat(next()).isSameAs(lane);
  }

  @Test
  void of_those_that_failed_the_one_that_was_tried_longest_ago_comes_first_whenever_it_is_due() {
    var late = lane(partition, 3);
    fail(late, 7);
    late.head().retry(at(8));
    turns.waits(late);
    var early = lane(partition, 19);
    fail(early, 2);
    early.head().retry(at(100));
    turns.waits(early);
    var untried = lane(partition, 35);
    turns.ready(untried);

    assertThat(turns.triedLongestAgo()).isSameAs(untried);
    assertThat(turns.triedLongestAgo()).isSameAs(early);
    assertThat(turns.triedLongestAgo()).isSameAs(late);
    assertThat(turns.triedLongestAgo()).isNull();
  }

  @Test
  void of_a_partition_that_was_lost_nothing_has_a_turn() {
    turns.ready(lane(partition, 3));
    var waits = lane(partition, 19);
    fail(waits, 0);
    waits.head().retry(at(1));
    turns.waits(waits);
    var kept = lane(other, 4);
    turns.ready(kept);

    turns.forget(partition);

    assertThat(next()).isSameAs(kept);
    assertThat(turns.hasFree()).isFalse();
  }

  /** As the dispatcher does, which begins with a lane and lists its partition again. */
  private Lane next() {
    var lane = turns.next(at(1_000));
    if (lane != null) {
      turns.list(lane.partition);
    }
    return lane;
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }

  private static void fail(Lane lane, int second) {
    lane.head().fail(Reason.of("down"), at(second));
  }

  private static Lane suspect(Lane lane) {
    var cell = lane.head();
    cell.inherit(new CellAttempts(cell.offset, cell.addedId, 1, at(0), at(0)), 3);
    return lane;
  }

  private static PartitionProgress partition(TopicPartition at) {
    return PartitionProgress.of(
        at, new Assignment(100, "", Set.of(), Map.of()), settings(Order.SHARD), new Held());
  }

  /** A shard's, with one cell. */
  private Lane lane(PartitionProgress of, int shard) {
    return of.read(new Delivery(offset++, shard, 1, row(shard), "BASE", false, 10, null), true);
  }
}
