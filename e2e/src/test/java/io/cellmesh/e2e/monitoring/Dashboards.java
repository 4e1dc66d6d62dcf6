package io.cellmesh.e2e.monitoring;

import java.util.List;

/** The dashboards that we ship. */
final class Dashboards {
  private Dashboards() {}

  static List<Dashboard> all() {
    return List.of(
        OverviewDashboard.dashboard(),
        SinkDashboard.dashboard(),
        LogDashboard.dashboard(),
        IndexesDashboard.dashboard(),
        MeshDashboard.dashboard(),
        TriggersDashboard.dashboard(),
        WorkersDashboard.dashboard(),
        ClusterDashboard.dashboard());
  }
}
