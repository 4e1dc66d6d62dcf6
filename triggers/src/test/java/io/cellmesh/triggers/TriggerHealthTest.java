package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.health.AppMetric;
import io.cellmesh.triggers.TriggerState.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TriggerHealthTest {
  @Test
  void one_that_runs_is_well_and_counts() {
    var health = new TriggerHealth("billing", state(Phase.RUNNING, "", Map.of()));

    assertThat(health.isGood()).isTrue();
    assertThat(health.toJson())
        .isEqualTo(
            "{\"status\":\"ok\",\"trigger\":\"billing\",\"state\":\"RUNNING\",\"partitions\":16,"
                + "\"parked_rows\":2,\"behind\":3,\"called\":40,\"failed\":5,\"parked\":6,\"replayed\":7}");
    assertThat(health.metrics().text())
        .contains(
            "cellmesh_trigger_up{trigger=\"billing\"} 1.0\n",
            "cellmesh_trigger_halted{trigger=\"billing\"} 0.0\n",
            "cellmesh_trigger_state{state=\"RUNNING\",trigger=\"billing\"} 1.0\n",
            "cellmesh_trigger_partitions{trigger=\"billing\"} 16.0\n",
            "cellmesh_trigger_partitions_halted{trigger=\"billing\"} 0.0\n",
            "cellmesh_trigger_parked_rows{trigger=\"billing\"} 2.0\n",
            "cellmesh_trigger_records_behind{trigger=\"billing\"} 3.0\n",
            "cellmesh_trigger_called_total{trigger=\"billing\"} 40.0\n",
            "cellmesh_trigger_failed_total{trigger=\"billing\"} 5.0\n",
            "cellmesh_trigger_parked_total{trigger=\"billing\"} 6.0\n",
            "cellmesh_trigger_replayed_total{trigger=\"billing\"} 7.0\n");
  }

  @Test
  void a_halted_partition_is_named_with_its_reason() {
    var health =
        new TriggerHealth("billing", state(Phase.HALTED, "gone", Map.of(12, "gone", 3, "lost")));

    assertThat(health.isGood()).isFalse();
    assertThat(health.toJson())
        .contains(
            "\"status\":\"not ok\"",
            "\"state\":\"HALTED\",\"why\":\"gone\"",
            "\"halted\":{\"3\":\"lost\",\"12\":\"gone\"}");
    assertThat(health.metrics().text())
        .contains(
            "cellmesh_trigger_halted{trigger=\"billing\"} 1.0\n",
            "cellmesh_trigger_partitions_halted{trigger=\"billing\"} 2.0\n");
  }

  @ParameterizedTest
  @EnumSource(Phase.class)
  void it_is_well_while_it_runs_or_is_paused_and_in_no_other_phase(Phase phase) {
    var health = new TriggerHealth("billing", state(phase, "why so", Map.of()));

    boolean good = phase == Phase.RUNNING || phase == Phase.PAUSED;
    assertThat(health.isGood()).isEqualTo(good);
    assertThat(health.toJson())
        .contains("\"status\":\"%s\"".formatted(good ? "ok" : "not ok"), "\"why\":\"why so\"");
    assertThat(health.metrics().text())
        .contains("cellmesh_trigger_up{trigger=\"billing\"} " + (good ? 1 : 0))
        .contains(
            "cellmesh_trigger_halted{trigger=\"billing\"} " + (phase == Phase.HALTED ? 1 : 0));
  }

  /** Or else Prometheus would take it for a process that began again. */
  @ParameterizedTest
  @EnumSource(
      value = Phase.class,
      names = {"STARTING", "WAITING", "CLOSED"})
  void what_is_not_known_while_kafka_does_not_answer_is_left_out_rather_than_0(Phase phase) {
    var health = new TriggerHealth("billing", TriggerState.bare(phase, ""));

    assertThat(health.metrics().text()).doesNotContain("_total", "behind", "parked_rows");
    assertThat(health.toJson()).doesNotContain("called", "behind", "parked_rows");
  }

  @Test
  void every_metric_of_the_table_is_there_with_help_and_type() {
    var text = new TriggerHealth("billing", state(Phase.RUNNING, "", Map.of())).metrics().text();

    for (var metric : TriggerMetric.values()) {
      assertThat(text)
          .contains("# HELP %s %s\n".formatted(metric.metric(), metric.meaning()))
          .contains(
              "# TYPE %s %s\n"
                  .formatted(metric.metric(), metric.kind().name().toLowerCase(Locale.ROOT)));
    }
  }

  @Test
  void docs_triggers_md_lists_the_metrics_as_they_are() throws IOException {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/triggers.md");

    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "metrics", "TriggerMetric", AppMetric.markdown(TriggerMetric.values())));
  }

  private static TriggerState state(Phase phase, String why, Map<Integer, String> halted) {
    return new TriggerState(phase, why, 16, halted, 2, 3, 40, 5, 6, 7);
  }
}
