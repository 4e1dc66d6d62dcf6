package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.StackPlan.BrokerPlan;
import io.cellmesh.devstack.StackPlan.ServerPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void of_commands_that_add_servers_at_once_none_forgets_those_of_the_others(@TempDir Path dir) {
    plan.write(dir);

    var adding =
        Stream.generate(() -> CompletableFuture.runAsync(() -> StackPlan.grow(dir, "dc1", "c1")))
            .limit(8)
            .toList();
    adding.forEach(CompletableFuture::join);

    var grown = StackPlan.read(dir);
    assertThat(grown.servers().toList())
        .hasSize((int) plan.servers().count() + 8)
        .extracting(ServerPlan::serverId)
        .doesNotHaveDuplicates();
    assertThat(grown.lastOf("dc1", "c1").name()).isEqualTo("dc1-c1-s9");
  }

  @Test
  void a_cluster_that_is_not_there_gets_none() {
    assertThatThrownBy(() -> plan.withServer("dc1", "c9"))
        .isInstanceOf(DevStackException.class)
        .hasMessage("no cluster c9 in dc1");
  }

  @Test
  void brokers_of_one_cluster_are_nodes_of_their_own_behind_their_networks() {
    var options = Options.defaults().withDatacenters(1).withBrokers(3).withNetworkPaths();
    var brokers = StackPlan.of(options, null).dcs().get(0).brokers();

    assertThat(brokers)
        .extracting(BrokerPlan::name)
        .containsExactly("dc1-kafka", "dc1-kafka2", "dc1-kafka3");
    assertThat(brokers).extracting(BrokerPlan::node).containsExactly(1, 2, 3);
    assertThat(brokers)
        .allSatisfy(broker -> assertThat(broker.listening()).isNotEqualTo(broker.port()));
    assertThat(KafkaBroker.bootstrap(brokers))
        .isEqualTo(
            "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d"
                .formatted(brokers.get(0).port(), brokers.get(1).port(), brokers.get(2).port()));
  }

  @Test
  void a_stack_of_a_release_that_knew_one_broker_is_read(@TempDir Path dir) throws IOException {
    Files.writeString(
        dir.resolve("stack.json"),
        """
        {"instance":"trips","shards":64,"partitions":16,"mysql":null,"dcs":[{"name":"dc1","clusters":[],
         "broker":{"name":"dc1-kafka","port":7,"controllerPort":8,"settings":{},"jvm":[]},"workers":[]}]}
        """);

    assertThat(StackPlan.read(dir).dcs().get(0).brokers())
        .containsExactly(new BrokerPlan("dc1-kafka", 7, 7, 8, 1, List.of(), Map.of(), List.of()));
  }
}
