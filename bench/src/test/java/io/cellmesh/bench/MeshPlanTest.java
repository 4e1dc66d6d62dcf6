package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeshPlanTest {

  @Test
  void too_few_cells_are_refused_with_the_rule() {
    assertThatThrownBy(() -> new MeshPlan(999, 1, 1, 1, List.of(0)))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining("--cells must be at least 1000");
  }

  @Test
  void a_delay_must_be_sensible_and_asked_for_once() {
    assertThatThrownBy(() -> new MeshPlan(1000, 1, 1, 1, List.of(0, -1)))
        .hasMessageContaining("--delays: milliseconds from 0 to 1000, each once, not [0, -1]");
    assertThatThrownBy(() -> new MeshPlan(1000, 1, 1, 1, List.of(0, 1001)))
        .isInstanceOf(InvalidPlanException.class);
    assertThatThrownBy(() -> new MeshPlan(1000, 1, 1, 1, List.of(20, 20)))
        .isInstanceOf(InvalidPlanException.class);
  }
}
