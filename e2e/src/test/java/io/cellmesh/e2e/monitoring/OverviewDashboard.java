package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** All of an instance at a glance: what fires, what runs, and how far each hop is behind. */
final class OverviewDashboard {
  private OverviewDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("overview", "Cellmesh: overview")
        .panel(
            "Alerts that fire",
            NUMBER,
            new Query(
                "sum by (alertname) (ALERTS{alertname=~\"Cellmesh.+\",alertstate=\"firing\"})",
                "{{alertname}}"))
        .panel(
            "Processes that answer",
            YES,
            new Query("up{job=~\"cellmesh-.+\"}", "{{job}} {{instance}}"))
        .panel(
            "Tasks",
            NUMBER,
            new Query(
                "max by (dc, connector) (kafka_connect_worker_connector_running_task_count)",
                "{{dc}} {{connector}} runs"),
            new Query(
                "max by (dc, connector) (kafka_connect_worker_connector_failed_task_count)",
                "{{dc}} {{connector}} FAILED"),
            new Query(
                "max by (dc, connector) (kafka_connect_worker_connector_total_task_count)",
                "{{dc}} {{connector}} has"))
        .panel(
            "Cells stored",
            A_SECOND,
            new Query(
                "sum by (dc, connector) (rate(cellmesh_sink_cells_total{outcome=\"stored\"}[5m]))",
                "{{dc}} {{connector}}"))
        .panel(
            "Records that the sinks have not fetched",
            NUMBER,
            new Query(
                "sum by (dc, connector) (kafka_consumer_fetch_manager_records_lag_max)",
                "{{dc}} {{connector}}"))
        .panel(
            "Oldest cell that waits for its primary",
            SECONDS,
            new Query(
                "max by (dc, primary) (cellmesh_sink_waiting_oldest_seconds)",
                "{{dc}} {{primary}}"))
        .panel(
            "The log behind the masters",
            SECONDS,
            new Query(
                "max by (dc, connector) (cellmesh_source_lag_seconds)", "{{dc}} {{connector}}"))
        .panel(
            "Indexes behind the log",
            NUMBER,
            new Query("sum by (dc, pass) (cellmesh_index_records_behind)", "{{dc}} {{pass}}"))
        .panel(
            "Links behind the peers' logs",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_records_behind)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "Servers that are left alone",
            SECONDS,
            new Query("max by (dc, server) (cellmesh_sink_down_seconds)", "{{dc}} {{server}}"));
  }
}
