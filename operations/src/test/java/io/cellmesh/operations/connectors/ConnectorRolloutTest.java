package io.cellmesh.operations.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectorRolloutTest {
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
}
