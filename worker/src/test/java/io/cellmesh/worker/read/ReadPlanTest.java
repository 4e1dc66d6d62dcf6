package io.cellmesh.worker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadPlanTest {
  private static final Server MASTER = new Server("m", 1, "a");
  private static final Server ONE = new Server("n1", 1, "b");
  private static final Server TWO = new Server("n2", 1, "c");
  private static final StorageCluster CLUSTER =
      new StorageCluster("c1", ShardSet.parse("0-3"), 1, MASTER, List.of(ONE, TWO));

  @Test
  void the_master_answers_and_minions_stand_in_for_it() {
    var plan = ReadPlan.of(ReadFrom.MASTER, CLUSTER, server -> true, false, 0);

    assertThat(plan.first()).containsExactly(MASTER);
    assertThat(plan.then()).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void minions_take_turns_and_the_master_stands_in_for_them() {
    var plans =
        List.of(0, 1, 2).stream()
            .map(turn -> ReadPlan.of(ReadFrom.MINION, CLUSTER, server -> true, false, turn))
            .toList();

    assertThat(plans).extracting(plan -> plan.first().get(0)).contains(ONE, TWO);
    assertThat(plans).allMatch(plan -> plan.then().equals(List.of(MASTER)));
  }

  @Test
  void a_minion_that_is_left_alone_is_asked_last_of_them() {
    for (int turn = 0; turn < 3; turn++) {
      var plan = ReadPlan.of(ReadFrom.MINION, CLUSTER, server -> server != ONE, false, turn);
      assertThat(plan.first()).containsExactly(TWO, ONE);
    }
  }

  @Test
  void any_spreads_over_all_and_prefers_minions_to_be_waited_for() {
    var firsts =
        List.of(0, 1, 2).stream()
            .map(turn -> ReadPlan.of(ReadFrom.ANY, CLUSTER, server -> true, false, turn))
            .map(plan -> plan.first().get(0))
            .toList();
    assertThat(firsts).containsExactlyInAnyOrder(MASTER, ONE, TWO);

    var waits = ReadPlan.of(ReadFrom.ANY, CLUSTER, server -> true, true, 0);
    assertThat(waits.first()).containsExactlyInAnyOrder(ONE, TWO);
    assertThat(waits.then()).containsExactly(MASTER);
  }

  @Test
  void a_cluster_without_minions_has_its_master() {
    var alone = new StorageCluster("c1", ShardSet.parse("0-3"), 1, MASTER, List.of());
    for (var from : ReadFrom.values()) {
      assertThat(ReadPlan.of(from, alone, server -> true, true, 7).all()).containsExactly(MASTER);
    }
  }
}
