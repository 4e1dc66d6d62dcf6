package io.cellmesh.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alert rules ask for metrics that there are, and each fires for the fault that it is for. */
class AlertsTest {
  private static final Path FILE = ShownMetrics.MONITORING.resolve("alerts.yaml");
  private static final Path PAGE =
      Path.of(System.getProperty("cellmesh.home"), "docs/operating.md");
  private static final Pattern PARAGRAPH = Pattern.compile("(?m)^### (Cellmesh\\w+)$");

  /** What there is of each kind when nothing is wrong, a sample every minute. */
  private static final List<String> AT_REST =
      List.of(
          "up{job='cellmesh-connect'} 1x60",
          "kafka_connect_worker_connector_failed_task_count{connector='trips-sink'} 0x60",
          "kafka_connect_worker_connector_failed_task_count{connector='of-somebody-else'} 1x60",
          "cellmesh_sink_unsecured_seconds{connector='trips-sink',task='0'} 0x60",
          "cellmesh_sink_down_seconds{connector='trips-sink',task='0',server='db1:3306'} 0x60",
          "cellmesh_sink_waiting_oldest_seconds{connector='trips-sink',task='0',primary='c1'} 0x60",
          "cellmesh_sink_buffered_oldest_seconds{connector='trips-sink',task='0',secondary='c1'} 0x60",
          "cellmesh_sink_lanes_with_gap{connector='trips-sink',task='0',primary='c1'} 0x60",
          "cellmesh_sink_untold_conflicts{connector='trips-sink',task='0',primary='c1'} 0x60",
          "cellmesh_sink_cells_total{connector='trips-sink',task='0',outcome='stored'} 0+900x60",
          "cellmesh_sink_cells_total{connector='trips-sink',task='0',outcome='duplicate'} 0+9x60",
          "cellmesh_sink_cells_total{connector='trips-sink',task='0',outcome='rejected'} 5x60",
          "cellmesh_sink_conflicts_total{connector='trips-sink',task='0',kind='own'} 3x60",
          "cellmesh_sink_conflicts_total{connector='trips-sink',task='0',kind='mesh'} 7x60",
          "cellmesh_source_lag_seconds{connector='trips-source-c1',task='0'} 0x60",
          "cellmesh_source_connected{connector='trips-source-c1',task='0'} 1x60",
          "cellmesh_source_reads_second_choice{connector='trips-source-c1',task='0'} 0x60",
          "cellmesh_source_violations_total{connector='trips-source-c1',task='0'} 0x60",
          "cellmesh_index_sink_waiting_seconds{connector='trips-index-sink-p1',task='0',cluster='c1'} 0x60",
          "cellmesh_index_passes_known 1x60",
          "cellmesh_index_up{pass='p1'} 1x60",
          "cellmesh_index_halted{pass='p1'} 0x60",
          "cellmesh_index_restoring_partitions{pass='p1'} 0x60",
          "cellmesh_index_lag_seconds{pass='p1'} 700x60",
          "cellmesh_index_records_behind{pass='p1'} 0x60",
          // Builds a new index: far behind, and catches up.
          "cellmesh_index_lag_seconds{pass='p2'} 700x60",
          "cellmesh_index_records_behind{pass='p2'} 9000-100x60",
          // Takes over: its state is restored first.
          "cellmesh_index_up{pass='p3'} 0x60",
          "cellmesh_index_restoring_partitions{pass='p3'} 4x60",
          "cellmesh_index_unindexed_total{pass='p1'} 7x60",
          "cellmesh_mesh_up{cellmesh_instance='trips',peer='dc2'} 1x60",
          "cellmesh_mesh_halted{cellmesh_instance='trips',peer='dc2'} 0x60",
          // Somebody has paused one link, and given up another one's peer.
          "cellmesh_mesh_up{cellmesh_instance='trips',peer='dc4'} 0x60",
          "cellmesh_mesh_state{cellmesh_instance='trips',peer='dc4',state='PAUSED'} 1x60",
          "cellmesh_mesh_up{cellmesh_instance='trips',peer='dc5'} 0x60",
          "cellmesh_mesh_state{cellmesh_instance='trips',peer='dc5',state='LOST'} 1x60",
          "cellmesh_mesh_proof_up{cellmesh_instance='trips',peer='dc5'} 0x60",
          "cellmesh_mesh_proof_age_seconds{cellmesh_instance='trips',peer='dc5'} 0+60x60",
          "cellmesh_mesh_lag_seconds{cellmesh_instance='trips',peer='dc2'} 700x60",
          "cellmesh_mesh_records_behind{cellmesh_instance='trips',peer='dc2'} 0x60",
          "cellmesh_mesh_set_aside_total{cellmesh_instance='trips',peer='dc2'} 3x60",
          "cellmesh_mesh_differences{cellmesh_instance='trips',peer='dc2',in='mesh'} 0x60",
          "cellmesh_mesh_proof_up{cellmesh_instance='trips',peer='dc2'} 1x60",
          "cellmesh_mesh_fold_up{cellmesh_instance='trips',in='log'} 1x60",
          "cellmesh_mesh_proof_age_seconds{cellmesh_instance='trips',peer='dc2'} 9x60",
          "cellmesh_mesh_files_in_force{instance='h1:9406'} 1x60",
          "cellmesh_trigger_up{trigger='billing'} 1x60",
          "cellmesh_trigger_halted{trigger='billing'} 0x60",
          "cellmesh_trigger_records_behind{trigger='billing'} 40x60",
          "cellmesh_trigger_parked_rows{trigger='billing'} 0x60",
          // Began later: far behind, and catches up.
          "cellmesh_trigger_records_behind{trigger='mails'} 9000-100x60",
          "cellmesh_worker_ready{instance='w1:8080',cellmesh_instance='trips'} 1x60",
          "cellmesh_worker_server_healthy{instance='w1:8080',server='db1:3306'} 1x60",
          // It alone was turned away by that server.
          "cellmesh_worker_server_healthy{instance='w1:8080',server='db2:3306'} 0x60",
          "cellmesh_worker_server_healthy{instance='w2:8080',server='db2:3306'} 1x60",
          "cellmesh_worker_requests_total{route='GET /v1/{instance}/cells/{row}',status='200'} 0+900x60",
          "cellmesh_worker_requests_total{route='GET /v1/{instance}/cells/{row}',status='503'} 0+9x60",
          // Whoever asks often whether it is ready.
          "cellmesh_worker_requests_total{route='GET /readyz',status='503'} 0+900x60",
          "cellmesh_worker_file_in_force{instance='w1:8080',file='tokens'} 1x60",
          "cellmesh_worker_waits_total{outcome='visible'} 0+900x60",
          "cellmesh_worker_waits_total{outcome='late'} 0+9x60");

  /** What one looks like that each is for. */
  private static final Map<String, List<String>> FAULTS = new LinkedHashMap<>();

  static {
    FAULTS.put("CellmeshDown", List.of("up{job='cellmesh-index-streams'} 0x60"));
    FAULTS.put(
        "CellmeshTaskFailed",
        List.of(
            "kafka_connect_worker_connector_failed_task_count{connector='trips-source-c2'} 1x60"));
    FAULTS.put(
        "CellmeshNothingSecured",
        List.of("cellmesh_sink_unsecured_seconds{connector='x-sink',task='1'} 0+60x60"));
    FAULTS.put(
        "CellmeshServerLeftAlone",
        List.of("cellmesh_sink_down_seconds{connector='x-sink',task='1',server='db3'} 0+60x60"));
    FAULTS.put(
        "CellmeshCellsWait",
        List.of(
            "cellmesh_sink_waiting_oldest_seconds{connector='x-sink',task='1',primary='c2'} 0+60x60"));
    FAULTS.put(
        "CellmeshCopiesStay",
        List.of(
            "cellmesh_sink_buffered_oldest_seconds{connector='x-sink',task='1',secondary='c2'} 0+60x60"));
    FAULTS.put(
        "CellmeshLaneStandsStill",
        List.of("cellmesh_sink_lanes_with_gap{connector='x-sink',task='1',primary='c2'} 2x60"));
    FAULTS.put(
        "CellmeshConflictsUntold",
        List.of("cellmesh_sink_untold_conflicts{connector='x-sink',task='1',primary='c2'} 4x60"));
    FAULTS.put(
        "CellmeshLogLags",
        List.of("cellmesh_source_connected{connector='trips-source-c2',task='0'} 0x60"));
    FAULTS.put(
        "CellmeshLogReadsMaster",
        List.of("cellmesh_source_reads_second_choice{connector='trips-source-c2',task='0'} 1x60"));
    FAULTS.put(
        "CellmeshCellsChanged",
        List.of("cellmesh_source_violations_total{connector='trips-source-c2',task='0'} 1x60"));
    FAULTS.put(
        "CellmeshIndexRowsWait",
        List.of(
            "cellmesh_index_sink_waiting_seconds{connector='x',task='0',cluster='c2'} 0+60x60"));
    FAULTS.put("CellmeshPassDown", List.of("cellmesh_index_up{pass='p4'} 0x60"));
    FAULTS.put("CellmeshPassHalted", List.of("cellmesh_index_halted{pass='p4'} 1x60"));
    FAULTS.put(
        "CellmeshIndexesLag",
        List.of(
            "cellmesh_index_lag_seconds{pass='p4'} 60+60x60",
            "cellmesh_index_records_behind{pass='p4'} 100+100x60"));
    FAULTS.put(
        "CellmeshCellsUnindexed", List.of("cellmesh_index_unindexed_total{pass='p4'} 0+1x60"));
    FAULTS.put(
        "CellmeshLinkDown",
        List.of(
            "cellmesh_mesh_up{cellmesh_instance='trips',peer='dc3'} 0x60",
            "cellmesh_mesh_state{cellmesh_instance='trips',peer='dc3',state='WAITING'} 1x60"));
    FAULTS.put(
        "CellmeshLinkHalted",
        List.of("cellmesh_mesh_halted{cellmesh_instance='trips',peer='dc3'} 1x60"));
    FAULTS.put(
        "CellmeshLinkLags",
        List.of(
            "cellmesh_mesh_lag_seconds{cellmesh_instance='trips',peer='dc3'} 60+60x60",
            "cellmesh_mesh_records_behind{cellmesh_instance='trips',peer='dc3'} 100x60"));
    FAULTS.put(
        "CellmeshLinkWaitsForSink",
        List.of("cellmesh_mesh_sink_wait_seconds{cellmesh_instance='trips',peer='dc3'} 60+60x60"));
    FAULTS.put(
        "CellmeshMeshDamaged",
        List.of("cellmesh_mesh_set_aside_total{cellmesh_instance='trips',peer='dc3'} 0+1x60"));
    FAULTS.put(
        "CellmeshMeshDiffers",
        List.of("cellmesh_mesh_differences{cellmesh_instance='trips',peer='dc3',in='mesh'} 1x60"));
    FAULTS.put(
        "CellmeshMeshUnproved",
        List.of("cellmesh_mesh_proof_age_seconds{cellmesh_instance='trips',peer='dc3'} 60+60x60"));
    FAULTS.put(
        "CellmeshMeshFilesNotInForce",
        List.of("cellmesh_mesh_files_in_force{instance='h2:9406'} 0x60"));
    FAULTS.put("CellmeshTriggerDown", List.of("cellmesh_trigger_up{trigger='hooks'} 0x60"));
    FAULTS.put(
        "CellmeshTriggerHalted",
        List.of(
            "cellmesh_trigger_halted{trigger='hooks'} 1x60",
            "cellmesh_trigger_up{trigger='hooks'} 0x60"));
    FAULTS.put(
        "CellmeshTriggerBehind",
        List.of("cellmesh_trigger_records_behind{trigger='hooks'} 2000+100x60"));
    FAULTS.put(
        "CellmeshTriggerParked", List.of("cellmesh_trigger_parked_rows{trigger='hooks'} 1x60"));
    FAULTS.put(
        "CellmeshWorkerNotReady",
        List.of("cellmesh_worker_ready{instance='w2:8080',cellmesh_instance='trips'} 0x60"));
    FAULTS.put(
        "CellmeshWorkerFails",
        List.of(
            "cellmesh_worker_requests_total{route='PUT /v1/{instance}/cells/{row}/{column}/{ref}',status='503'} 0+90x60"));
    FAULTS.put(
        "CellmeshWorkersLeaveServerAlone",
        List.of("cellmesh_worker_server_healthy{instance='w1:8080',server='db3:3306'} 0x60"));
    FAULTS.put(
        "CellmeshWritesLate",
        List.of("cellmesh_worker_waits_total{instance='w2:8080',outcome='late'} 0+90x60"));
    FAULTS.put(
        "CellmeshWorkerFileNotInForce",
        List.of("cellmesh_worker_file_in_force{instance='w2:8080',file='certificate'} 0x60"));
    FAULTS.put(
        "CellmeshTablesDiffer",
        List.of(
            "cellmesh_worker_scrub_differences{instance='w1:8080',cellmesh_instance='trips'} 1x60"));
    FAULTS.put(
        "CellmeshRecordsRejected",
        List.of(
            "cellmesh_sink_cells_total{connector='x-sink',task='0',outcome='rejected'} 0+1x60"));
    FAULTS.put(
        "CellmeshOwnConflicts",
        List.of("cellmesh_sink_conflicts_total{connector='x-sink',task='0',kind='own'} 0+1x60"));
    FAULTS.put(
        "CellmeshMeshConflicts",
        List.of("cellmesh_sink_conflicts_total{connector='x-sink',task='0',kind='mesh'} 0+1x60"));
  }

  @TempDir private Path dir;

  @Test
  void each_expression_names_only_metrics_and_labels_that_are_shown() throws IOException {
    var shown = ShownMetrics.all();
    for (var alert : alerts()) {
      Expression.of(alert.get("expr").textValue()).check(shown);
    }
  }

  @Test
  void docs_operating_md_has_a_paragraph_for_each_and_for_no_other() throws IOException {
    var alerts = alerts();
    var paragraphs = PARAGRAPH.matcher(Files.readString(PAGE)).results().map(this::name).toList();

    assertThat(paragraphs).isEqualTo(alerts.stream().map(AlertsTest::name).toList());
    for (var alert : alerts) {
      assertThat(alert.at("/annotations/runbook").textValue())
          .isEqualTo("docs/operating.md#" + name(alert).toLowerCase(Locale.ROOT));
      assertThat(alert.at("/labels/severity").textValue()).isIn("info", "warning", "critical");
    }
  }

  @Test
  void prometheus_takes_the_files() throws Exception {
    Promtool.run("check", "rules", FILE.toString());
    Promtool.run("check", "config", ShownMetrics.MONITORING.resolve("prometheus.yaml").toString());
  }

  @Test
  void none_fires_at_rest_and_each_for_its_fault_alone() throws Exception {
    assertThat(FAULTS.keySet())
        .containsExactlyElementsOf(alerts().stream().map(AlertsTest::name).toList());
    var tests = new ArrayList<Object>();
    tests.add(test(AT_REST, List.of(), List.of()));
    FAULTS.forEach((alert, series) -> tests.add(test(AT_REST, series, List.of(alert))));
    var file = dir.resolve("alerts-test.yaml");
    new ObjectMapper(new YAMLFactory())
        .writeValue(file.toFile(), Map.of("rule_files", List.of(FILE.toString()), "tests", tests));

    Promtool.run("test", "rules", file.toString());
  }

  /** A test of promtool's: with these series these alerts fire after half an hour. */
  private static Map<String, Object> test(
      List<String> atRest, List<String> fault, List<String> alerts) {
    var series = new ArrayList<Object>();
    for (var lines : List.of(atRest, fault)) {
      for (var line : lines) {
        int end = line.lastIndexOf(' ');
        series.add(Map.of("series", line.substring(0, end), "values", line.substring(end + 1)));
      }
    }
    var samples =
        alerts.stream()
            .map(alert -> Map.of("labels", "{alertname=\"%s\"}".formatted(alert), "value", 1))
            .toList();
    return Map.of(
        "interval",
        "1m",
        "input_series",
        series,
        "promql_expr_test",
        List.of(
            Map.of(
                "expr",
                "count by (alertname) (ALERTS{alertstate=\"firing\"})",
                "eval_time",
                "30m",
                "exp_samples",
                samples)));
  }

  private String name(MatchResult paragraph) {
    return paragraph.group(1);
  }

  private static String name(JsonNode alert) {
    return alert.get("alert").textValue();
  }

  private static List<JsonNode> alerts() throws IOException {
    var alerts = new ArrayList<JsonNode>();
    new ObjectMapper(new YAMLFactory())
        .readTree(FILE.toFile())
        .at("/groups/0/rules")
        .forEach(alerts::add);
    return alerts;
  }
}
