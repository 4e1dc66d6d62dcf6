package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.StackPlan.ServerPlan;
import org.junit.jupiter.api.Test;

class StackPlanTest {
  private final StackPlan plan = StackPlan.of(Options.defaults().withDatacenters(2), null);

  @Test
  void an_added_server_is_the_last_of_its_cluster_and_like_no_other() {
    var grown = plan.withServer("dc1", "c2").withServer("dc1", "c2");

    var before = plan.servers().toList();
    var all = grown.servers().toList();
    assertThat(all).containsAll(before).hasSize(before.size() + 2);
    assertThat(all).extracting(ServerPlan::port).doesNotHaveDuplicates();
    assertThat(all).extracting(ServerPlan::serverId).doesNotHaveDuplicates();
    assertThat(all).extracting(ServerPlan::name).contains("dc1-c2-s2", "dc1-c2-s3");
    assertThat(grown.dcs().get(1)).isEqualTo(plan.dcs().get(1));
  }

  @Test
  void a_cluster_that_is_not_there_gets_none() {
    assertThatThrownBy(() -> plan.withServer("dc1", "c9"))
        .isInstanceOf(DevStackException.class)
        .hasMessage("no cluster c9 in dc1");
  }
}
