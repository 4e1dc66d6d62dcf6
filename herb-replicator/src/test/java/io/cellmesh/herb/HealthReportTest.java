package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.health.AppMetric;
import io.cellmesh.herb.LinkFigures.Counts;
import io.cellmesh.herb.LinkHealth.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HealthReportTest {
  private static final Counts COUNTS = new Counts(1, 2, 3, 7);
  private static final LinkHealth RUNS =
      new LinkHealth(
          State.RUNNING,
          "",
          3,
          OptionalLong.of(1_250),
          MeshWindow.State.OPEN,
          OptionalDouble.empty(),
          COUNTS,
          Map.of());

  @Test
  void linksThatRunAreWell() {
    var report = report("trips", "", Map.of("dc2", RUNS));
    assertThat(report.isGood()).isTrue();
    assertThat(report.toJson())
        .isEqualTo(
            "{\"status\":\"ok\",\"links\":{\"dc2\":{\"state\":\"RUNNING\",\"behind\":3,"
                + "\"restarts\":1,\"set_aside\":2,\"steps_back\":3,\"taken\":7}}}");
    assertThat(report.metrics().text())
        .contains(
            "cellmesh_mesh_up{cellmesh_instance=\"trips\",peer=\"dc2\"} 1.0\n",
            "cellmesh_mesh_state{cellmesh_instance=\"trips\",peer=\"dc2\",state=\"RUNNING\"} 1.0\n",
            "cellmesh_mesh_records_behind{cellmesh_instance=\"trips\",peer=\"dc2\"} 3.0\n",
            "cellmesh_mesh_lag_seconds{cellmesh_instance=\"trips\",peer=\"dc2\"} 1.25\n",
            "cellmesh_mesh_restarts_total{cellmesh_instance=\"trips\",peer=\"dc2\"} 1.0\n",
            "cellmesh_mesh_set_aside_total{cellmesh_instance=\"trips\",peer=\"dc2\"} 2.0\n",
            "cellmesh_mesh_steps_back_total{cellmesh_instance=\"trips\",peer=\"dc2\"} 3.0\n",
            "cellmesh_mesh_taken_total{cellmesh_instance=\"trips\",peer=\"dc2\"} 7.0\n");
  }

  @Test
  void oneThatDoesNotRunIsSeenWithItsReasonWhateverItIs() {
    for (var state : State.values()) {
      var other =
          new LinkHealth(
              state,
              "why so",
              0,
              OptionalLong.empty(),
              MeshWindow.State.OPEN,
              OptionalDouble.empty(),
              COUNTS,
              Map.of("dc7", 5L));
      var report = report("trips", "", Map.of("dc2", RUNS, "dc3", other));
      assertThat(report.isGood())
          .isEqualTo(Set.of(State.RUNNING, State.PAUSED, State.LOST).contains(state));
      assertThat(report.toJson())
          .contains("\"dc3\":{\"state\":\"%s\",\"why\":\"why so\"".formatted(state))
          .contains("\"unlinked\":{\"dc7\":5}");
      assertThat(report.metrics().text())
          .contains(
              "cellmesh_mesh_up{cellmesh_instance=\"trips\",peer=\"dc3\"} "
                  + (state == State.RUNNING ? 1 : 0))
          .contains(
              "cellmesh_mesh_halted{cellmesh_instance=\"trips\",peer=\"dc3\"} "
                  + (state == State.HALTED ? 1 : 0))
          .contains(
              "cellmesh_mesh_state{cellmesh_instance=\"trips\",peer=\"dc3\",state=\"%s\"} 1.0"
                  .formatted(state))
          .contains(
              "cellmesh_mesh_unlinked_total{cellmesh_instance=\"trips\",origin=\"dc7\",peer=\"dc3\"} 5.0")
          .doesNotContain("lag_seconds{cellmesh_instance=\"trips\",peer=\"dc3\"}");
    }
  }

  @Test
  void a_link_that_waits_for_the_sink_is_well_and_says_for_how_long() {
    var waits = new MeshWindow.State(3, Duration.ofMillis(40_500));
    var health =
        new LinkHealth(
            State.RUNNING,
            "waits",
            9,
            OptionalLong.empty(),
            waits,
            OptionalDouble.of(412.6),
            COUNTS,
            Map.of());
    var report = report("trips", "", Map.of("dc2", health));
    assertThat(report.isGood()).isTrue();
    assertThat(report.toJson())
        .contains(
            "\"state\":\"RUNNING\",\"why\":\"waits\",\"behind\":9", "\"full\":3,\"pace\":413");
    assertThat(report.metrics().text())
        .contains(
            "cellmesh_mesh_full_windows{cellmesh_instance=\"trips\",peer=\"dc2\"} 3.0\n",
            "cellmesh_mesh_sink_wait_seconds{cellmesh_instance=\"trips\",peer=\"dc2\"} 40.5\n",
            "cellmesh_mesh_backlog_pace_cells{cellmesh_instance=\"trips\",peer=\"dc2\"} 412.6\n");
  }

  @Test
  void each_instance_of_a_cohort_is_as_it_would_be_alone() {
    var runs = report("trips", "", Map.of("dc2", RUNS));
    var halted =
        report(
            "riders",
            "",
            Map.of(
                "dc2",
                new LinkHealth(
                    State.HALTED,
                    "gone",
                    0,
                    OptionalLong.empty(),
                    MeshWindow.State.OPEN,
                    OptionalDouble.empty(),
                    COUNTS,
                    Map.of())));
    var cohort = new CohortHealth("", Map.of("trips", runs, "riders", halted));
    assertThat(cohort.isGood()).isFalse();
    assertThat(cohort.toJson())
        .isEqualTo(
            "{\"status\":\"not ok\",\"instances\":{\"riders\":%s,\"trips\":%s}}"
                .formatted(halted.toJson(), runs.toJson()));
    assertThat(cohort.ofInstance("trips").orElseThrow().isGood()).isTrue();
    assertThat(cohort.ofInstance("riders").orElseThrow().isGood()).isFalse();
    assertThat(cohort.ofInstance("other")).isEmpty();
    assertThat(runs.ofInstance("trips")).contains(runs);
    assertThat(runs.ofInstance("riders")).isEmpty();
    assertThat(cohort.metrics().text())
        .contains(
            "cellmesh_mesh_files_in_force 1.0\n",
            "cellmesh_mesh_up{cellmesh_instance=\"riders\",peer=\"dc2\"} 0.0\n",
            "cellmesh_mesh_up{cellmesh_instance=\"trips\",peer=\"dc2\"} 1.0\n");
  }

  @Test
  void files_that_can_not_be_used_are_told_while_the_links_run() {
    var runs = report("trips", "", Map.of("dc2", RUNS));
    var broken = new CohortHealth("cohorts.yaml: line 3: no", Map.of("trips", runs));
    assertThat(broken.isGood()).isFalse();
    assertThat(broken.toJson())
        .startsWith("{\"status\":\"not ok\",\"why\":\"cohorts.yaml: line 3: no\",");
    assertThat(broken.ofInstance("trips").orElseThrow().isGood()).isTrue();
    assertThat(broken.metrics().text()).contains("cellmesh_mesh_files_in_force 0.0\n");

    var other = report("riders", "riders.yaml: line 1: no", Map.of("dc2", RUNS));
    var one = new CohortHealth("", Map.of("trips", runs, "riders", other));
    assertThat(other.toJson())
        .startsWith("{\"status\":\"not ok\",\"why\":\"riders.yaml: line 1: no\",\"links\":{");
    assertThat(one.isGood()).isFalse();
    assertThat(one.metrics().text())
        .contains(
            "cellmesh_mesh_files_in_force 0.0\n",
            "cellmesh_mesh_up{cellmesh_instance=\"riders\",peer=\"dc2\"} 1.0\n");
  }

  @Test
  void every_metric_of_the_table_is_there_with_help_and_type() {
    var unlinked =
        new LinkHealth(
            State.RUNNING,
            "",
            3,
            OptionalLong.of(1),
            MeshWindow.State.OPEN,
            OptionalDouble.empty(),
            COUNTS,
            Map.of("dc7", 5L));
    var report = report("trips", "", Map.of("dc2", unlinked));
    var text = new CohortHealth("", Map.of("trips", report)).metrics().text();
    for (var metric : LinkMetric.values()) {
      assertThat(text)
          .contains("# HELP %s %s\n".formatted(metric.metric(), metric.meaning()))
          .contains(
              "# TYPE %s %s\n"
                  .formatted(metric.metric(), metric.kind().name().toLowerCase(Locale.ROOT)));
    }
  }

  private static HealthReport report(String instance, String fault, Map<String, LinkHealth> links) {
    return new HealthReport(instance, fault, links, Optional.empty());
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
