package io.cellmesh.operations.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectClient;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectorTopologiesTest {
  private static final Topology BEFORE = topology("trips", 1, 3301);
  private static final Topology AFTER = topology("trips", 2, 3302);
  private static final String SINK = "io.cellmesh.connect.sink.CellSinkConnector";
  private static final String INDEX_SINK = "io.cellmesh.connect.sink.index.IndexSinkConnector";

  private final RecordedConnect connect;
  private final ConnectorTopologies maps;

  ConnectorTopologiesTest() throws Exception {
    this.connect = new RecordedConnect();
    this.maps = new ConnectorTopologies(new ConnectClient(connect.url()));
  }

  @AfterEach
  void close() {
    connect.close();
  }

  @Test
  void a_connector_gets_the_new_map_once_and_keeps_its_other_settings() throws Exception {
    connect.put("trips-sink", config(SINK, TopologyYaml.write(BEFORE)));

    assertThat(update(false).changed()).containsExactly("trips-sink");
    assertThat(TopologyYaml.parse(connect.config("trips-sink").get("topology"))).isEqualTo(AFTER);
    assertThat(connect.config("trips-sink")).containsEntry("tasks.max", "2");
    assertThat(update(false).changed()).isEmpty();
    assertThat(connect.changes()).containsExactly("PUT trips-sink/config");
  }

  @Test
  void connectors_of_others_are_left_alone() throws Exception {
    connect.put("jdbc", config("io.debezium.connector.jdbc.JdbcSinkConnector", "anything"));
    connect.put("rides-sink", config(SINK, TopologyYaml.write(topology("rides", 1, 3301))));

    assertThat(update(true).changed()).isEmpty();
    assertThat(connect.changes()).isEmpty();
  }

  @Test
  void a_map_from_a_config_provider_is_a_persons_to_change() throws Exception {
    connect.put("trips-sink", config(SINK, "${file:/etc/topology.properties:trips}"));

    assertThat(update(false).byHand()).containsExactly("trips-sink");
    assertThat(connect.changes()).isEmpty();
  }

  @Test
  void an_index_sink_reads_again_what_may_be_lost_before_it_has_the_new_map() throws Exception {
    connect.put("trips-index-sink-a", config(INDEX_SINK, TopologyYaml.write(BEFORE)));

    update(true);

    assertThat(connect.changes())
        .as("interrupted before the last one, all of it is done again")
        .containsExactly(
            "PUT trips-index-sink-a/stop",
            "DELETE trips-index-sink-a/offsets",
            "PUT trips-index-sink-a/resume",
            "PUT trips-index-sink-a/config");
  }

  @Test
  void where_nothing_is_lost_an_index_sink_goes_on() throws Exception {
    connect.put("trips-index-sink-a", config(INDEX_SINK, TopologyYaml.write(BEFORE)));

    update(false);

    assertThat(connect.changes()).containsExactly("PUT trips-index-sink-a/config");
  }

  @Test
  void an_index_sink_reads_again_for_a_promotion_that_ended_before_it_came_to_it()
      throws Exception {
    connect.put("trips-index-sink-a", config(INDEX_SINK, TopologyYaml.write(BEFORE)));

    maps.update(AFTER, "c1", false, Set.of(), says -> {});

    assertThat(connect.changes()).contains("DELETE trips-index-sink-a/offsets");
  }

  @Test
  void what_another_command_has_changed_of_another_cluster_meanwhile_stays() throws Exception {
    for (int known : new int[] {1, 5}) {
      connect.put("trips-sink", config(SINK, TopologyYaml.write(twoClusters(known, 3))));

      maps.update(twoClusters(2, 1), "c1", false, Set.of(), says -> {});

      assertThat(TopologyYaml.parse(connect.config("trips-sink").get("topology")))
          .as("of c1 what is told now, of c2 what it knows more")
          .isEqualTo(twoClusters(2, 3));
    }
  }

  @Test
  void what_another_command_puts_while_an_index_sink_is_made_to_read_again_stays()
      throws Exception {
    var name = "trips-index-sink-a";
    connect.put(name, config(INDEX_SINK, TopologyYaml.write(twoClusters(1, 1))));
    connect.during(
        "PUT trips-index-sink-a/resume",
        () -> connect.put(name, config(INDEX_SINK, TopologyYaml.write(twoClusters(1, 3)))));

    maps.update(twoClusters(2, 1), "c1", true, Set.of(), says -> {});

    assertThat(TopologyYaml.parse(connect.config(name).get("topology")))
        .isEqualTo(twoClusters(2, 3));
  }

  @Test
  void a_group_that_has_lost_its_leader_is_waited_for() throws Exception {
    connect.put("trips-sink", config(SINK, TopologyYaml.write(BEFORE)));
    connect.refuse(2);

    assertThat(update(false).changed()).containsExactly("trips-sink");
  }

  private ConnectorTopologies.Outcome update(boolean again) throws InterruptedException {
    return maps.update(AFTER, "c1", again, again ? Set.of() : Set.of("c1"), says -> {});
  }

  private static Map<String, String> config(String type, String map) {
    return Map.of("connector.class", type, "topology", map, "tasks.max", "2");
  }

  private static Topology twoClusters(int first, int second) {
    return TopologyYaml.parse(
        """
        instance: trips
        shards: 4
        partitions: 2
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-1, epoch: %d, master: {url: "mysql://127.0.0.1:3301"}, minions: []}
          - {name: c2, shards: 2-3, epoch: %d, master: {url: "mysql://127.0.0.1:3303"}, minions: []}
        """
            .formatted(first, second));
  }

  private static Topology topology(String instance, int epoch, int port) {
    return TopologyYaml.parse(
        """
        instance: %s
        shards: 4
        partitions: 2
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-3, epoch: %d, master: {url: "mysql://127.0.0.1:%d"}, minions: []}
        """
            .formatted(instance, epoch, port));
  }
}
