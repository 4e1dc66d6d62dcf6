package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** From the log to callbacks: the processes of triggers. */
final class TriggersDashboard {
  private TriggersDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("triggers", "Cellmesh: triggers")
        .panel(
            "Processes that run",
            NUMBER,
            new Query("sum by (dc, trigger) (cellmesh_trigger_up)", "{{dc}} {{trigger}}"))
        .panel(
            "States",
            NUMBER,
            new Query(
                "sum by (dc, trigger, state) (cellmesh_trigger_state)",
                "{{dc}} {{trigger}} {{state}}"),
            new Query(
                "sum by (dc, trigger) (cellmesh_trigger_halted)", "{{dc}} {{trigger}} halted"))
        .panel(
            "Records not read yet",
            NUMBER,
            new Query(
                "sum by (dc, trigger) (cellmesh_trigger_records_behind)", "{{dc}} {{trigger}}"))
        .panel(
            "Partitions",
            NUMBER,
            new Query(
                "sum by (dc, trigger) (cellmesh_trigger_partitions)", "{{dc}} {{trigger}} has"),
            new Query(
                "sum by (dc, trigger) (cellmesh_trigger_partitions_halted)",
                "{{dc}} {{trigger}} wait for a person"))
        .panel(
            "Callbacks",
            A_SECOND,
            new Query(
                "sum by (dc, trigger) (rate(cellmesh_trigger_called_total[5m]))",
                "{{dc}} {{trigger}} called"),
            new Query(
                "sum by (dc, trigger) (rate(cellmesh_trigger_failed_total[5m]))",
                "{{dc}} {{trigger}} failed"))
        .panel(
            "Rows that are parked",
            NUMBER,
            new Query("sum by (dc, trigger) (cellmesh_trigger_parked_rows)", "{{dc}} {{trigger}}"))
        .panel(
            "Cells parked and replayed",
            NUMBER,
            new Query(
                "sum by (dc, trigger) (increase(cellmesh_trigger_parked_total[5m]))",
                "{{dc}} {{trigger}} parked"),
            new Query(
                "sum by (dc, trigger) (increase(cellmesh_trigger_replayed_total[5m]))",
                "{{dc}} {{trigger}} replayed"));
  }
}
