package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.BYTES;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/**
 * From the ingest topics to the primaries: batches, servers that are left alone, copies that wait.
 */
final class SinkDashboard {
  private SinkDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("sink", "Cellmesh: sink")
        .panel(
            "Cells by what became of them",
            A_SECOND,
            new Query(
                "sum by (dc, outcome) (rate(cellmesh_sink_cells_total[5m]))", "{{dc}} {{outcome}}"))
        .panel(
            "Records that the sinks have not fetched",
            NUMBER,
            new Query(
                "max by (dc, connector, task) (kafka_consumer_fetch_manager_records_lag_max)",
                "{{dc}} {{connector}} {{task}}"))
        .panel(
            "Time of a batch, median",
            SECONDS,
            new Query("max by (dc, hop) (cellmesh_sink_time_seconds_p50)", "{{dc}} {{hop}}"))
        .panel(
            "Time of a batch, 99 of 100",
            SECONDS,
            new Query("max by (dc, hop) (cellmesh_sink_time_seconds_p99)", "{{dc}} {{hop}}"))
        .panel(
            "Time of a batch, longest",
            SECONDS,
            new Query("max by (dc, hop) (cellmesh_sink_time_seconds_max)", "{{dc}} {{hop}}"))
        .panel(
            "Seconds of a second that are spent in a hop",
            SECONDS,
            new Query(
                "sum by (dc, hop) (rate(cellmesh_sink_time_seconds_total[5m]))", "{{dc}} {{hop}}"))
        .panel(
            "Cells in a batch",
            NUMBER,
            new Query("avg by (dc) (cellmesh_sink_batch_cells_avg)", "{{dc}} mean"),
            new Query("max by (dc) (cellmesh_sink_batch_cells_max)", "{{dc}} largest"))
        .panel(
            "Bytes of a batch",
            BYTES,
            new Query("avg by (dc) (cellmesh_sink_batch_bytes_avg)", "{{dc}} mean"),
            new Query("max by (dc) (cellmesh_sink_batch_bytes_max)", "{{dc}} largest"))
        .panel(
            "Servers that are left alone",
            YES,
            new Query("max by (dc, server) (cellmesh_sink_breaker_open)", "{{dc}} {{server}}"))
        .panel(
            "For how long",
            SECONDS,
            new Query("max by (dc, server) (cellmesh_sink_down_seconds)", "{{dc}} {{server}}"),
            new Query("max by (dc) (cellmesh_sink_unsecured_seconds)", "{{dc}} nothing is secured"))
        .panel(
            "Cells that wait for their primary",
            NUMBER,
            new Query("sum by (dc, primary) (cellmesh_sink_waiting_cells)", "{{dc}} {{primary}}"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query(
                "max by (dc, primary) (cellmesh_sink_waiting_oldest_seconds)",
                "{{dc}} {{primary}}"))
        .panel(
            "Copies in the buffers",
            NUMBER,
            new Query(
                "sum by (dc, secondary) (cellmesh_sink_buffered_cells)", "{{dc}} {{secondary}}"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query(
                "max by (dc, secondary) (cellmesh_sink_buffered_oldest_seconds)",
                "{{dc}} {{secondary}}"))
        .panel(
            "What stands still or is not told",
            NUMBER,
            new Query(
                "sum by (dc, primary) (cellmesh_sink_lanes_with_gap)",
                "{{dc}} lanes of {{primary}} with a gap"),
            new Query(
                "sum by (dc, primary) (cellmesh_sink_untold_conflicts)",
                "{{dc}} untold conflicts of {{primary}}"))
        .panel(
            "Conflicts by where the two records come from",
            NUMBER,
            new Query(
                "sum by (dc, kind) (increase(cellmesh_sink_conflicts_total[5m]))",
                "{{dc}} {{kind}}"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query("sum by (dc) (increase(cellmesh_sink_rewinds_total[5m]))", "{{dc}} rewinds"),
            new Query(
                "sum by (dc) (increase(cellmesh_sink_rejected_without_value_total[5m]))",
                "{{dc}} rejected without value"),
            new Query(
                "sum by (dc) (increase(cellmesh_sink_failed_commits_total[5m]))",
                "{{dc}} failed commits"));
  }
}
