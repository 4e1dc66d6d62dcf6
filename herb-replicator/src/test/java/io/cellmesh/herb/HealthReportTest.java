package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.herb.LinkHealth.State;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthReportTest {
  private static final LinkHealth RUNS =
      new LinkHealth(State.RUNNING, "", 3, Map.of("taken", 7L), Map.of());

  @Test
  void linksThatRunAreWell() {
    var report = new HealthReport(Map.of("dc2", RUNS));
    assertThat(report.isGood()).isTrue();
    assertThat(report.toJson())
        .isEqualTo(
            "{\"status\":\"ok\",\"links\":{\"dc2\":{\"state\":\"RUNNING\",\"behind\":3,\"taken\":7}}}");
    assertThat(report.toMetrics())
        .contains("cellmesh_mesh_up{peer=\"dc2\"} 1\n", "cellmesh_mesh_taken{peer=\"dc2\"} 7\n");
  }

  @Test
  void oneThatDoesNotRunIsSeenWithItsReasonWhateverItIs() {
    for (var state : State.values()) {
      var other = new LinkHealth(state, "why so", 0, Map.of(), Map.of("dc7", 5L));
      var report = new HealthReport(Map.of("dc2", RUNS, "dc3", other));
      assertThat(report.isGood()).isEqualTo(state == State.RUNNING);
      assertThat(report.toJson())
          .contains("\"dc3\":{\"state\":\"%s\",\"why\":\"why so\"".formatted(state))
          .contains("\"unlinked\":{\"dc7\":5}");
      assertThat(report.toMetrics())
          .contains("cellmesh_mesh_up{peer=\"dc3\"} " + (state == State.RUNNING ? 1 : 0))
          .contains("cellmesh_mesh_halted{peer=\"dc3\"} " + (state == State.HALTED ? 1 : 0))
          .contains("cellmesh_mesh_unlinked{peer=\"dc3\"} 5");
    }
  }
}
