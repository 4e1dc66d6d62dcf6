package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeshAloneTest {
  private final Topics topics = new Topics("trips");

  @Test
  void a_sink_that_took_the_mesh_alone_takes_both_again_and_is_otherwise_what_it_was() {
    var usual = Map.of("topics", "trips.cells,trips.mesh", "tasks.max", "4");
    var alone = MeshAlone.taking(usual, topics.mesh());
    assertThat(alone).isEqualTo(Map.of("topics", "trips.mesh", "tasks.max", "4"));
    assertThat(MeshAlone.taking(alone, MeshAlone.both(topics))).isEqualTo(usual);
  }

  @Test
  void a_pattern_of_topics_would_stand_beside_them() {
    assertThat(MeshAlone.taking(Map.of("topics.regex", "trips\\..*"), topics.mesh()))
        .isEqualTo(Map.of("topics", "trips.mesh"));
  }
}
