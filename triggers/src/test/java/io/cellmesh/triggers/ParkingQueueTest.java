package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.names;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.trigger.Order;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ParkingQueueTest {
  private final ParkingQueue queue = new ParkingQueue();
  private final List<Lane> others = new ArrayList<>();
  private final PartitionProgress partition =
      PartitionProgress.of(
          AT, new Assignment(100, "", Set.of(), Map.of()), settings(Order.SHARD), new Held());

  private long offset = 100;

  /** Of each cell. */
  private int bytes = 10;

  @Test
  void a_transaction_has_all_that_waits_and_commits_as_though_it_were_finished() {
    queue.add(lane(3, 2));
    queue.add(lane(19, 1));

    var parking = begin(0).orElseThrow();

    assertThat(names(parking)).containsExactly("3/1 CALLBACK", "3/2 CALLBACK", "19/1 CALLBACK");
    assertThat(parking.commits()).containsOnlyKeys(AT);
    assertThat(parking.commits().get(AT).offset()).isEqualTo(103);
    assertThat(partition.commit(false).offset()).as("without the transaction").isEqualTo(100);
  }

  @Test
  void what_comes_while_a_transaction_runs_is_parked_by_the_next_one() {
    queue.add(lane(3, 1));
    var first = begin(0).orElseThrow();
    queue.add(lane(19, 1));
    assertThat(begin(9)).isEmpty();
    assertThat(queue.due()).isEqualTo(Instant.MAX);

    assertThat(queue.parked(first)).extracting(Lane::head).extracting(c -> c.shard).containsOnly(3);

    assertThat(names(begin(9).orElseThrow())).containsExactly("19/1 CALLBACK");
  }

  @Test
  void a_transaction_has_500_cells_at_most_and_the_others_wait() {
    queue.add(lane(3, 300));
    queue.add(lane(19, 300));
    queue.add(lane(35, 1));

    var first = begin(0).orElseThrow();

    assertThat(first.cells()).hasSize(500);
    assertThat(queue.parked(first)).hasSize(2);
    assertThat(names(begin(0).orElseThrow())).containsExactly("35/1 CALLBACK");
  }

  @Test
  void a_transaction_has_so_many_bytes_that_it_ends_in_time_and_the_others_wait() {
    bytes = 3 << 20;
    queue.add(lane(3, 4));
    queue.add(lane(19, 1));

    var first = begin(0).orElseThrow();

    assertThat(names(first)).containsExactly("3/1 CALLBACK", "3/2 CALLBACK", "3/3 CALLBACK");
    assertThat(first.commits().get(AT).offset()).isEqualTo(103);
    queue.parked(first);
    assertThat(names(begin(0).orElseThrow())).containsExactly("19/1 CALLBACK");
  }

  @Test
  void after_one_that_failed_the_next_begins_a_second_later_with_the_same_cells() {
    queue.add(lane(3, 2));
    var failed = begin(5).orElseThrow();

    queue.notParked(failed, at(6));

    assertThat(partition.commit(true).offset()).as("nothing is being parked").isEqualTo(100);
    assertThat(begin(6)).isEmpty();
    assertThat(queue.due()).isEqualTo(at(7));
    assertThat(names(begin(7).orElseThrow())).isEqualTo(names(failed));
  }

  @Test
  void lanes_of_which_nothing_is_to_be_parked_any_more_are_given_back() {
    var parked = lane(3, 1);
    var unparked = lane(19, 1);
    queue.add(parked);
    queue.add(unparked);
    unparked.head().reprieve(3, at(0));

    assertThat(names(begin(0).orElseThrow())).containsExactly("3/1 CALLBACK");
    assertThat(others).containsExactly(unparked);
  }

  @Test
  void of_a_partition_that_was_lost_nothing_is_parked_and_nothing_comes_back() {
    queue.add(lane(3, 1));
    var parking = begin(0).orElseThrow();
    queue.add(lane(19, 1));

    partition.close();
    queue.forget(partition);
    queue.notParked(parking, at(0));

    assertThat(begin(9)).isEmpty();
    assertThat(queue.takeAll()).isEmpty();
  }

  @Test
  void what_no_transaction_has_can_be_taken_out() {
    queue.add(lane(3, 1));
    var parking = begin(0).orElseThrow();
    var waiting = lane(19, 1);
    queue.add(waiting);

    assertThat(queue.takeAll()).containsExactly(waiting);
    assertThat(queue.takeAll()).isEmpty();
    assertThat(queue.parked(parking)).hasSize(1);
  }

  @Test
  void only_the_transaction_that_runs_can_end() {
    queue.add(lane(3, 1));
    var parking = begin(0).orElseThrow();
    queue.parked(parking);

    assertThatThrownBy(() -> queue.parked(parking)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> queue.notParked(parking, at(0)))
        .isInstanceOf(IllegalStateException.class);
  }

  private Optional<Parking> begin(int second) {
    return queue.begin(at(second), others::add);
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }

  /** A shard's, all of whose cells the callback asks to park. */
  private Lane lane(int shard, int cells) {
    Lane lane = null;
    for (int id = 1; id <= cells; id++) {
      var cell = new Delivery(offset++, shard, id, row(shard), "BASE", false, bytes, null);
      lane = partition.read(cell, true);
      cell.park(ParkReason.CALLBACK);
    }
    return lane;
  }
}
