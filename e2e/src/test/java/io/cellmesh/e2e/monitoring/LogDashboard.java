package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** From the binlogs to the log: the source connectors and rebuilds. */
final class LogDashboard {
  private LogDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("log", "Cellmesh: log")
        .panel(
            "Cells handed to the log",
            A_SECOND,
            new Query(
                "sum by (dc, connector) (rate(cellmesh_source_cells_total[5m]))",
                "{{dc}} {{connector}}"))
        .panel(
            "Behind the master",
            SECONDS,
            new Query(
                "max by (dc, connector) (cellmesh_source_lag_seconds)", "{{dc}} {{connector}}"))
        .panel(
            "Transactions behind the master",
            NUMBER,
            new Query(
                "max by (dc, connector) (cellmesh_source_lag_transactions)",
                "{{dc}} {{connector}}"))
        .panel(
            "Since the server was heard",
            SECONDS,
            new Query(
                "max by (dc, connector) (cellmesh_source_silent_seconds)", "{{dc}} {{connector}}"))
        .panel(
            "Server that is read",
            YES,
            new Query(
                "max by (dc, connector, server) (cellmesh_source_reading)",
                "{{dc}} {{connector}} {{server}}"))
        .panel(
            "Whether it is heard, and the one to read",
            YES,
            new Query(
                "max by (dc, connector) (cellmesh_source_connected)",
                "{{dc}} {{connector}} is heard"),
            new Query(
                "max by (dc, connector) (cellmesh_source_reads_second_choice)",
                "{{dc}} {{connector}} is the second choice"))
        .panel(
            "Task",
            YES,
            new Query(
                "max by (dc, connector) (cellmesh_source_task_alive)",
                "{{dc}} {{connector}} lives"),
            new Query(
                "max by (dc, connector, reason) (cellmesh_source_task_waits_for)",
                "{{dc}} {{connector}} waits: {{reason}}"))
        .panel(
            "Restarts of the task",
            NUMBER,
            new Query(
                "max by (dc, connector) (increase(cellmesh_source_task_restarts_total[5m]))",
                "{{dc}} {{connector}}"))
        .panel(
            "Transactions by their number",
            A_SECOND,
            new Query(
                "max by (dc, connector, source) (deriv(cellmesh_source_last_gtid[5m]))",
                "{{dc}} {{connector}} of {{source}}"))
        .panel(
            "Rows that somebody has changed",
            NUMBER,
            new Query(
                "max by (dc, connector) (cellmesh_source_violations_total)",
                "{{dc}} {{connector}}"))
        .panel(
            "Rebuilds: shards left",
            NUMBER,
            new Query(
                "max by (dc, connector) (cellmesh_source_rebuild_shards_left)",
                "{{dc}} {{connector}}"))
        .panel(
            "Rebuilds: cells read",
            A_SECOND,
            new Query(
                "sum by (dc, connector) (rate(cellmesh_source_rebuild_cells_total[5m]))",
                "{{dc}} {{connector}}"));
  }
}
