package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** All that concerns one storage cluster, which the reader chooses. */
final class ClusterDashboard {
  private ClusterDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("cluster", "Cellmesh: a storage cluster")
        .ofCluster("cellmesh_sink_waiting_cells")
        .panel(
            "Cells that wait for its master",
            NUMBER,
            new Query(
                "sum by (dc) (cellmesh_sink_waiting_cells{primary=~\"$cluster\"})", "{{dc}} cells"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query(
                "max by (dc) (cellmesh_sink_waiting_oldest_seconds{primary=~\"$cluster\"})",
                "{{dc}} age"))
        .panel(
            "Copies in its buffers, for others",
            NUMBER,
            new Query(
                "sum by (dc) (cellmesh_sink_buffered_cells{secondary=~\"$cluster\"})",
                "{{dc}} copies"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query(
                "max by (dc) (cellmesh_sink_buffered_oldest_seconds{secondary=~\"$cluster\"})",
                "{{dc}} age"))
        .panel(
            "What stands still or is not told",
            NUMBER,
            new Query(
                "sum by (dc) (cellmesh_sink_lanes_with_gap{primary=~\"$cluster\"})",
                "{{dc}} lanes with a gap"),
            new Query(
                "sum by (dc) (cellmesh_sink_untold_conflicts{primary=~\"$cluster\"})",
                "{{dc}} untold conflicts"))
        .panel(
            "Its log behind its master",
            SECONDS,
            new Query(
                "max by (dc, connector)"
                    + " (cellmesh_source_lag_seconds{connector=~\".+-source-$cluster\"})",
                "{{dc}} {{connector}}"))
        .panel(
            "Server that its log is read from",
            YES,
            new Query(
                "max by (dc, server) (cellmesh_source_reading{connector=~\".+-source-$cluster\"})",
                "{{dc}} {{server}}"))
        .panel(
            "Cells of it handed to the log",
            A_SECOND,
            new Query(
                "sum by (dc)"
                    + " (rate(cellmesh_source_cells_total{connector=~\".+-source-$cluster\"}[5m]))",
                "{{dc}} cells"))
        .panel(
            "Index entries written to it",
            A_SECOND,
            new Query(
                "sum by (dc, connector)"
                    + " (rate(cellmesh_index_sink_entries_total{cluster=~\"$cluster\"}[5m]))",
                "{{dc}} {{connector}}"))
        .panel(
            "Index entries that it lacks",
            SECONDS,
            new Query(
                "max by (dc, connector)"
                    + " (cellmesh_index_sink_waiting_seconds{cluster=~\"$cluster\"})",
                "{{dc}} {{connector}}"));
  }
}
