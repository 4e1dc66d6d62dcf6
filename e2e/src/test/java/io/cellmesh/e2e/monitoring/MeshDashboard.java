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
            "Cells taken",
            A_SECOND,
            new Query(
                "sum by (dc, cellmesh_instance, peer) (rate(cellmesh_mesh_taken_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{peer}}"))
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
            "Files of a cohort in force",
            YES,
            new Query(
                "min by (dc, instance) (cellmesh_mesh_files_in_force)", "{{dc}} {{instance}}"));
  }
}
