package io.cellmesh.operations.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.ConnectorStatus.Part;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectorRolloutTest {
  private static final Topology MAP =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 2
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://a"}, minions: [{url: "mysql://b"}]}
          """);

  private static final Topics TRIPS = new Topics("trips");
  private static final Map<String, String> BOTH = Map.of("topics", "trips.cells,trips.mesh");
  private static final Map<String, String> MESH = Map.of("topics", "trips.mesh");
  private static final Map<String, String> SOURCE = Map.of("topic.prefix", "trips");

  @Test
  void a_sink_that_takes_the_mesh_alone_while_lost_cells_come_back_is_not_made_to_take_more() {
    assertThat(ConnectorRollout.takesMeshAlone(TRIPS, MESH, BOTH)).isTrue();
  }

  @Test
  void whatever_else_differs_may_be_changed() {
    assertThat(ConnectorRollout.takesMeshAlone(TRIPS, BOTH, BOTH)).isFalse();
    assertThat(ConnectorRollout.takesMeshAlone(TRIPS, MESH, MESH)).isFalse();
    assertThat(ConnectorRollout.takesMeshAlone(TRIPS, SOURCE, SOURCE)).isFalse();
  }

  @Test
  void a_connector_that_a_promotion_has_told_meanwhile_keeps_the_new_master() {
    var rendered = sink(TopologyYaml.write(MAP));
    var promoted = TopologyYaml.write(MAP).replace("epoch: 1", "epoch: 2");

    var kept = ConnectorRollout.keepingNewer(rendered, sink(promoted).config());

    assertThat(TopologyYaml.parse(kept.config().get("topology")).cluster("c1").epoch())
        .isEqualTo(2);
    assertThat(kept.config()).containsEntry("tasks.max", "8");
  }

  @Test
  void one_that_knows_nothing_newer_gets_what_was_rendered() {
    var old = TopologyYaml.write(MAP);
    var rendered = sink(old.replace("epoch: 1", "epoch: 2"));

    assertThat(ConnectorRollout.keepingNewer(rendered, sink(old).config())).isEqualTo(rendered);
    assertThat(ConnectorRollout.keepingNewer(rendered, Map.of())).isEqualTo(rendered);
    assertThat(ConnectorRollout.keepingNewer(rendered, Map.of("topology", "${file:/t:map}")))
        .isEqualTo(rendered);
    var ofAnother =
        old.replace("instance: trips", "instance: rides").replace("epoch: 1", "epoch: 3");
    assertThat(ConnectorRollout.keepingNewer(rendered, sink(ofAnother).config()))
        .isEqualTo(rendered);
  }

  @Test
  void of_one_that_need_not_be_changed_it_is_said_that_it_does_not_run() {
    var runs = new Part("RUNNING", "w1", "");
    var failed = new Part("FAILED", "w1", "io.cellmesh.SinkException: Access denied");
    var paused = new Part("PAUSED", "w1", "");

    assertThat(unchanged(runs, runs)).isEqualTo("is as it should be");
    assertThat(unchanged(runs, failed))
        .isEqualTo(
            "is as it should be, but does not run: Access denied; restart it when the cause is gone");
    assertThat(unchanged(paused, paused))
        .isEqualTo("is as it should be, but does not run: connector PAUSED, tasks [PAUSED]");
  }

  private static String unchanged(Part connector, Part task) {
    return ConnectorRollout.unchanged(Optional.of(new ConnectorStatus(connector, List.of(task))));
  }

  private static Connector sink(String topology) {
    var json = JsonNodeFactory.instance.objectNode().put("name", "trips-sink");
    json.putObject("config").put("topology", topology).put("tasks.max", "8");
    return new Connector("trips-sink", json);
  }
}
