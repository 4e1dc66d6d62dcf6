package io.cellmesh.operations.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class CandidateCatchUpTest {
  @Test
  void the_old_master_is_opened_again_whatever_ended_the_comparison() throws IOException {
    var failure = new KafkaException("no broker of dc2 can be resolved");

    try (var pools = new Pools(new Credentials("operator", ""), ServerInquiry.OPTIONS)) {
      var plan = planWhereNobodyListens(true);
      var catchUp =
          new CandidateCatchUp(
              new ServerInquiry(pools), null, plan.cluster(), plan.candidate(), remark -> {});

      assertThatThrownBy(
              () ->
                  catchUp.undoing(
                      plan,
                      true,
                      () -> {
                        throw failure;
                      }))
          .isSameAs(failure);
    }
    // Nobody listens there, so that it was tried is all there is to see.
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0]).hasMessageStartingWith("127.0.0.1:");
  }

  /** Not cut off it would go on getting what it is not compared by. */
  @Test
  void a_candidate_that_falls_silent_is_not_taken_for_one_that_follows_nobody() throws IOException {
    var done = new ArrayList<Stage>();

    try (var pools = new Pools(new Credentials("operator", ""), ServerInquiry.OPTIONS)) {
      var plan = planWhereNobodyListens(false);
      var catchUp =
          new CandidateCatchUp(
              new ServerInquiry(pools), null, plan.cluster(), plan.candidate(), remark -> {});

      assertThatThrownBy(() -> catchUp.run(plan, false, OperationListener.silent(), done::add))
          .isInstanceOf(OperationException.class)
          .hasMessageContaining("does not answer any more");
    }
    assertThat(done).containsExactly(Stage.FENCE);
  }

  private static PromotionPlan planWhereNobodyListens(boolean oldMasterAnswers) throws IOException {
    int master;
    int minion;
    try (var one = unused();
        var another = unused()) {
      master = one.getLocalPort();
      minion = another.getLocalPort();
    }
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 2
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:%d"}, minions: [{url: "mysql://127.0.0.1:%d"}]}
            """
                .formatted(master, minion));
    var cluster = topology.cluster("c1");
    return new PromotionPlan(
        topology, cluster, cluster.minions().get(0), 2, false, false, oldMasterAnswers);
  }

  private static ServerSocket unused() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
