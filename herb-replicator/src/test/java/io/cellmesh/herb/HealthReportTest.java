package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.health.AppMetric;
import io.cellmesh.herb.LinkFigures.Counts;
import io.cellmesh.herb.LinkHealth.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HealthReportTest {
  private static final Counts COUNTS = new Counts(1, 2, 3, 7);
  private static final LinkHealth RUNS =
      new LinkHealth(State.RUNNING, "", 3, OptionalLong.of(1_250), COUNTS, Map.of());

  @Test
  void linksThatRunAreWell() {
    var report = new HealthReport(Map.of("dc2", RUNS));
    assertThat(report.isGood()).isTrue();
    assertThat(report.toJson())
        .isEqualTo(
            "{\"status\":\"ok\",\"links\":{\"dc2\":{\"state\":\"RUNNING\",\"behind\":3,"
                + "\"restarts\":1,\"set_aside\":2,\"steps_back\":3,\"taken\":7}}}");
    assertThat(report.metrics().text())
        .contains(
            "cellmesh_mesh_up{peer=\"dc2\"} 1.0\n",
            "cellmesh_mesh_state{peer=\"dc2\",state=\"RUNNING\"} 1.0\n",
            "cellmesh_mesh_records_behind{peer=\"dc2\"} 3.0\n",
            "cellmesh_mesh_lag_seconds{peer=\"dc2\"} 1.25\n",
            "cellmesh_mesh_restarts_total{peer=\"dc2\"} 1.0\n",
            "cellmesh_mesh_set_aside_total{peer=\"dc2\"} 2.0\n",
            "cellmesh_mesh_steps_back_total{peer=\"dc2\"} 3.0\n",
            "cellmesh_mesh_taken_total{peer=\"dc2\"} 7.0\n");
  }

  @Test
  void oneThatDoesNotRunIsSeenWithItsReasonWhateverItIs() {
    for (var state : State.values()) {
      var other =
          new LinkHealth(state, "why so", 0, OptionalLong.empty(), COUNTS, Map.of("dc7", 5L));
      var report = new HealthReport(Map.of("dc2", RUNS, "dc3", other));
      assertThat(report.isGood())
          .isEqualTo(Set.of(State.RUNNING, State.PAUSED, State.LOST).contains(state));
      assertThat(report.toJson())
          .contains("\"dc3\":{\"state\":\"%s\",\"why\":\"why so\"".formatted(state))
          .contains("\"unlinked\":{\"dc7\":5}");
      assertThat(report.metrics().text())
          .contains("cellmesh_mesh_up{peer=\"dc3\"} " + (state == State.RUNNING ? 1 : 0))
          .contains("cellmesh_mesh_halted{peer=\"dc3\"} " + (state == State.HALTED ? 1 : 0))
          .contains("cellmesh_mesh_state{peer=\"dc3\",state=\"%s\"} 1.0".formatted(state))
          .contains("cellmesh_mesh_unlinked_total{origin=\"dc7\",peer=\"dc3\"} 5.0")
          .doesNotContain("lag_seconds{peer=\"dc3\"}");
    }
  }

  @Test
  void every_metric_of_the_table_is_there_with_help_and_type() {
    var unlinked =
        new LinkHealth(State.RUNNING, "", 3, OptionalLong.of(1), COUNTS, Map.of("dc7", 5L));
    var text = new HealthReport(Map.of("dc2", unlinked)).metrics().text();
    for (var metric : LinkMetric.values()) {
      assertThat(text)
          .contains("# HELP %s %s\n".formatted(metric.metric(), metric.meaning()))
          .contains(
              "# TYPE %s %s\n"
                  .formatted(metric.metric(), metric.kind().name().toLowerCase(Locale.ROOT)));
    }
  }

  @Test
  void docs_mesh_md_lists_the_metrics_as_they_are() throws IOException {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/mesh.md");
    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "metrics", "LinkMetric", AppMetric.markdown(LinkMetric.values())));
  }
}
