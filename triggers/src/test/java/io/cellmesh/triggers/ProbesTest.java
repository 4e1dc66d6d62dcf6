package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.Order;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProbesTest {
  private final Probes probes = new Probes();
  private final Batch one = batch();
  private final Batch other = batch();

  @Test
  void nothing_is_tried_before_it_halts_and_a_cell_a_second_after() {
    assertThat(probes.isDue(at(0))).isFalse();

    probes.halt(at(10));

    assertThat(probes.isDue(at(10))).isFalse();
    assertThat(probes.due()).isEqualTo(at(11));
    assertThat(probes.isDue(at(11))).isTrue();
  }

  @Test
  void one_cell_is_tried_at_a_time_and_each_failure_doubles_the_wait_up_to_three_seconds() {
    probes.halt(at(0));
    probes.began(one);
    assertThat(probes.isUnderWay()).isTrue();
    assertThat(probes.isDue(at(9))).isFalse();
    assertThat(probes.due()).isEqualTo(Instant.MAX);

    probes.failed(one, at(10));
    assertThat(probes.due()).isEqualTo(at(12));
    for (int i = 0; i < 3; i++) {
      probes.began(other);
      probes.failed(other, at(20));
      assertThat(probes.due()).isEqualTo(at(23));
    }
  }

  @Test
  void what_ran_before_it_halted_says_nothing() {
    probes.halt(at(0));
    probes.began(one);

    probes.succeeded(other);
    probes.failed(other, at(5));

    assertThat(probes.hasRecovered()).isFalse();
    assertThat(probes.isUnderWay()).isTrue();
    probes.succeeded(one);
    assertThat(probes.hasRecovered()).isTrue();
  }

  @Test
  void a_cell_whose_partition_was_lost_says_nothing_and_another_is_tried_at_once() {
    probes.halt(at(0));
    probes.began(one);

    probes.lost(one);

    assertThat(probes.hasRecovered()).isFalse();
    assertThat(probes.isDue(at(1))).isTrue();
  }

  @Test
  void whoever_halts_again_waits_a_second_again_and_has_not_recovered() {
    probes.halt(at(0));
    probes.began(one);
    probes.failed(one, at(1));
    probes.halt(at(2));
    assertThat(probes.due()).as("while it is halted nothing begins anew").isEqualTo(at(3));
    probes.began(one);
    probes.succeeded(one);
    probes.goOn();
    assertThat(probes.isHalted()).isFalse();
    assertThat(probes.isDue(at(9))).isFalse();

    probes.halt(at(20));

    assertThat(probes.hasRecovered()).isFalse();
    assertThat(probes.due()).isEqualTo(at(21));
  }

  @Test
  void a_success_that_comes_after_it_went_on_is_no_recovery() {
    probes.halt(at(0));
    probes.began(one);
    probes.goOn();

    probes.succeeded(one);

    assertThat(probes.hasRecovered()).isFalse();
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }

  private static Batch batch() {
    var settings = settings(Order.SHARD);
    var partition =
        PartitionProgress.of(AT, new Assignment(100, "", Set.of(), Map.of()), settings, new Held());
    var cell = new Delivery(100, 3, 1, row(1), "BASE", false, 10, null);
    return Batch.of(partition, List.of(cell), Instant.EPOCH);
  }
}
