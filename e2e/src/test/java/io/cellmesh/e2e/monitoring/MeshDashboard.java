package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** From the logs of the peers to the mesh topic: the links. */
final class MeshDashboard {
  private MeshDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("mesh", "Cellmesh: mesh")
        .panel(
            "Links that run",
            YES,
            new Query(
                "max by (dc, cellmesh_instance, peer) (cellmesh_mesh_up)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "States",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer, state) (cellmesh_mesh_state)",
                "{{dc}} {{cellmesh_instance}} {{peer}} {{state}}"),
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_halted)",
                "{{dc}} {{cellmesh_instance}} {{peer}} waits for a person"))
        .panel(
            "Records of the peers' logs not fetched yet",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_records_behind)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "How old the last cell was",
            SECONDS,
            new Query(
                "max by (dc, cellmesh_instance, peer) (cellmesh_mesh_lag_seconds)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "Partitions that wait for the sink",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_full_windows)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "For how long the sink has passed nothing of them",
            SECONDS,
            new Query(
                "max by (dc, cellmesh_instance, peer) (cellmesh_mesh_sink_wait_seconds)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "Cells taken",
            A_SECOND,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (rate(cellmesh_mesh_taken_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{peer}}"),
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_backlog_pace_cells) > 0",
                "{{dc}} {{cellmesh_instance}} {{peer}} keeps to"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (increase(cellmesh_mesh_set_aside_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{peer}} damaged"),
            new Query(
                "sum by (dc, cellmesh_instance, peer) (increase(cellmesh_mesh_steps_back_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{peer}} steps back"),
            new Query(
                "sum by (dc, cellmesh_instance, peer) (increase(cellmesh_mesh_restarts_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{peer}} restarts"),
            new Query(
                "sum by (dc, cellmesh_instance, peer, origin) (increase(cellmesh_mesh_unlinked_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{origin}} has no link"))
        .panel(
            "Buckets that differ from the peers'",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer, in) (cellmesh_mesh_differences)",
                "{{dc}} {{cellmesh_instance}} {{peer}} {{in}}"))
        .panel(
            "Cells that are as the peers have them",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer, in) (cellmesh_mesh_agreed_cells)",
                "{{dc}} {{cellmesh_instance}} {{peer}} {{in}}"))
        .panel(
            "Cells that are not here, or again",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_waiting_cells)",
                "{{dc}} {{cellmesh_instance}} {{peer}} not arrived"),
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_absent_cells)",
                "{{dc}} {{cellmesh_instance}} {{peer}} not in the log"),
            new Query(
                "sum by (dc, cellmesh_instance, peer) (cellmesh_mesh_repeats)",
                "{{dc}} {{cellmesh_instance}} {{peer}} repeats"))
        .panel(
            "How old the proof is",
            SECONDS,
            new Query(
                "max by (dc, cellmesh_instance, peer) (cellmesh_mesh_proof_age_seconds)",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
        .panel(
            "Foldings and comparisons that run",
            YES,
            new Query(
                "max by (dc, cellmesh_instance, in) (cellmesh_mesh_fold_up)",
                "{{dc}} {{cellmesh_instance}} {{in}} folded"),
            new Query(
                "max by (dc, cellmesh_instance, peer) (cellmesh_mesh_proof_up)",
                "{{dc}} {{cellmesh_instance}} {{peer}} compared"))
        .panel(
            "What is folded",
            A_SECOND,
            new Query(
                "sum by (dc, cellmesh_instance, in) (rate(cellmesh_mesh_folded_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{in}}"))
        .panel(
            "What is not folded",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, in) (cellmesh_mesh_fold_records_behind)",
                "{{dc}} {{cellmesh_instance}} {{in}} yet"),
            new Query(
                "sum by (dc, cellmesh_instance, in) (increase(cellmesh_mesh_fold_damaged_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{in}} damaged"),
            new Query(
                "sum by (dc, cellmesh_instance, in) (increase(cellmesh_mesh_fold_cut_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{in}} expired before"))
        .panel(
            "Files of a cohort in force",
            YES,
            new Query(
                "min by (dc, instance) (cellmesh_mesh_files_in_force)", "{{dc}} {{instance}}"));
  }
}
