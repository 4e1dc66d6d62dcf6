package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** What is asked of the workers over HTTP, and how they answer. */
final class WorkersDashboard {
  private WorkersDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard("workers", "Cellmesh: workers")
        .panel(
            "Workers that can serve",
            YES,
            new Query("cellmesh_worker_ready", "{{dc}} {{instance}} {{cellmesh_instance}}"))
        .panel(
            "Calls",
            A_SECOND,
            new Query(
                "sum by (dc, route, status) (rate(cellmesh_worker_requests_total[5m]))",
                "{{dc}} {{route}} {{status}}"))
        .panel("Half of the answers within", SECONDS, within("0.5"))
        .panel("99 % of the answers within", SECONDS, within("0.99"))
        .panel(
            "Calls that are not answered yet",
            NUMBER,
            new Query("cellmesh_worker_requests_in_flight", "{{dc}} {{instance}}"))
        .panel(
            "Writes, by how their wait ended",
            A_SECOND,
            new Query(
                "sum by (dc, outcome) (rate(cellmesh_worker_waits_total[5m]))",
                "{{dc}} {{outcome}}"))
        .panel(
            "In queues",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance, queue) (cellmesh_worker_queued)",
                "{{dc}} {{cellmesh_instance}} {{queue}}"))
        .panel(
            "Turned away by a full queue",
            A_SECOND,
            new Query(
                "sum by (dc, cellmesh_instance, queue) (rate(cellmesh_worker_turned_away_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{queue}}"))
        .panel(
            "Minion reads asked of a second server",
            A_SECOND,
            new Query(
                "sum by (dc, outcome) (rate(cellmesh_worker_hedges_total[5m]))",
                "{{dc}} {{outcome}}"))
        .panel(
            "Callers refused",
            A_SECOND,
            new Query(
                "sum by (dc, problem) (rate(cellmesh_worker_refused_total[5m]))",
                "{{dc}} {{problem}}"))
        .panel(
            "Files that are in force",
            YES,
            new Query("cellmesh_worker_file_in_force", "{{dc}} {{instance}} {{file}}"))
        .panel(
            "Workers that leave a server alone",
            NUMBER,
            new Query(
                "sum by (dc, server) (1 - cellmesh_worker_server_healthy)", "{{dc}} {{server}}"))
        .panel(
            "Looks at masters",
            A_SECOND,
            new Query(
                "sum by (dc, cellmesh_instance, cluster) (rate(cellmesh_worker_looks_total[5m]))",
                "{{dc}} {{cellmesh_instance}} {{cluster}}"))
        .panel(
            "Workers that prove the tables",
            YES,
            new Query("cellmesh_worker_scrub_up", "{{dc}} {{instance}} {{cellmesh_instance}}"))
        .panel(
            "Rows read to prove the tables",
            A_SECOND,
            new Query(
                "sum by (dc, cellmesh_instance) (rate(cellmesh_worker_scrub_rows_total[5m]))",
                "{{dc}} {{cellmesh_instance}}"))
        .panel(
            "Places where tables differ from the log",
            NUMBER,
            new Query(
                "sum by (dc, cellmesh_instance) (cellmesh_worker_scrub_differences)",
                "{{dc}} {{cellmesh_instance}}"))
        .panel(
            "Since the tables read longest ago",
            SECONDS,
            new Query(
                "max by (dc, cellmesh_instance) (cellmesh_worker_scrub_age_seconds)",
                "{{dc}} {{cellmesh_instance}}"));
  }

  private static Query within(String share) {
    return new Query(
        "histogram_quantile(%s, sum by (dc, route, le) (rate(cellmesh_worker_request_seconds_bucket[5m])))"
            .formatted(share),
        "{{dc}} {{route}}");
  }
}
