package io.cellmesh.e2e.monitoring;

import io.cellmesh.e2e.monitoring.Dashboard.Query;
import java.util.List;

/** The dashboards that we ship. */
final class Dashboards {
  private static final String RATE = "[5m]";
  private static final String NUMBER = "short";
  private static final String A_SECOND = "cps";
  private static final String SECONDS = "s";
  private static final String BYTES = "bytes";
  private static final String YES = "bool";

  private Dashboards() {}

  static List<Dashboard> all() {
    return List.of(overview(), sink(), log(), indexes(), mesh(), cluster());
  }

  private static Dashboard overview() {
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
                "max by (connector) (kafka_connect_worker_connector_running_task_count)",
                "{{connector}} runs"),
            new Query(
                "max by (connector) (kafka_connect_worker_connector_failed_task_count)",
                "{{connector}} FAILED"),
            new Query(
                "max by (connector) (kafka_connect_worker_connector_total_task_count)",
                "{{connector}} has"))
        .panel(
            "Cells stored",
            A_SECOND,
            new Query(
                "sum by (connector) (rate(cellmesh_sink_cells_total{outcome=\"stored\"}"
                    + RATE
                    + "))",
                "{{connector}}"))
        .panel(
            "Records that the sinks have not fetched",
            NUMBER,
            new Query(
                "sum by (connector) (kafka_consumer_fetch_manager_records_lag_max)",
                "{{connector}}"))
        .panel(
            "Oldest cell that waits for its primary",
            SECONDS,
            new Query("max by (primary) (cellmesh_sink_waiting_oldest_seconds)", "{{primary}}"))
        .panel(
            "The log behind the masters",
            SECONDS,
            new Query("max by (connector) (cellmesh_source_lag_seconds)", "{{connector}}"))
        .panel(
            "Indexes behind the log",
            NUMBER,
            new Query("sum by (pass) (cellmesh_index_records_behind)", "{{pass}}"))
        .panel(
            "Links behind the peers' logs",
            NUMBER,
            new Query("sum by (peer) (cellmesh_mesh_records_behind)", "{{peer}}"))
        .panel(
            "Servers that are left alone",
            SECONDS,
            new Query("max by (server) (cellmesh_sink_down_seconds)", "{{server}}"));
  }

  private static Dashboard sink() {
    return new Dashboard("sink", "Cellmesh: sink")
        .panel(
            "Cells by what became of them",
            A_SECOND,
            new Query(
                "sum by (outcome) (rate(cellmesh_sink_cells_total" + RATE + "))", "{{outcome}}"))
        .panel(
            "Records that the sinks have not fetched",
            NUMBER,
            new Query(
                "max by (connector, task) (kafka_consumer_fetch_manager_records_lag_max)",
                "{{connector}} {{task}}"))
        .panel(
            "Time of a batch, median",
            SECONDS,
            new Query("max by (hop) (cellmesh_sink_time_seconds_p50)", "{{hop}}"))
        .panel(
            "Time of a batch, 99 of 100",
            SECONDS,
            new Query("max by (hop) (cellmesh_sink_time_seconds_p99)", "{{hop}}"))
        .panel(
            "Time of a batch, longest",
            SECONDS,
            new Query("max by (hop) (cellmesh_sink_time_seconds_max)", "{{hop}}"))
        .panel(
            "Seconds of a second that are spent in a hop",
            SECONDS,
            new Query(
                "sum by (hop) (rate(cellmesh_sink_time_seconds_total" + RATE + "))", "{{hop}}"))
        .panel(
            "Cells in a batch",
            NUMBER,
            new Query("avg(cellmesh_sink_batch_cells_avg)", "mean"),
            new Query("max(cellmesh_sink_batch_cells_max)", "largest"))
        .panel(
            "Bytes of a batch",
            BYTES,
            new Query("avg(cellmesh_sink_batch_bytes_avg)", "mean"),
            new Query("max(cellmesh_sink_batch_bytes_max)", "largest"))
        .panel(
            "Servers that are left alone",
            YES,
            new Query("max by (server) (cellmesh_sink_breaker_open)", "{{server}}"))
        .panel(
            "For how long",
            SECONDS,
            new Query("max by (server) (cellmesh_sink_down_seconds)", "{{server}}"),
            new Query("max(cellmesh_sink_unsecured_seconds)", "nothing is secured"))
        .panel(
            "Cells that wait for their primary",
            NUMBER,
            new Query("sum by (primary) (cellmesh_sink_waiting_cells)", "{{primary}}"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query("max by (primary) (cellmesh_sink_waiting_oldest_seconds)", "{{primary}}"))
        .panel(
            "Copies in the buffers",
            NUMBER,
            new Query("sum by (secondary) (cellmesh_sink_buffered_cells)", "{{secondary}}"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query(
                "max by (secondary) (cellmesh_sink_buffered_oldest_seconds)", "{{secondary}}"))
        .panel(
            "What stands still or is not told",
            NUMBER,
            new Query(
                "sum by (primary) (cellmesh_sink_lanes_with_gap)",
                "lanes of {{primary}} with a gap"),
            new Query(
                "sum by (primary) (cellmesh_sink_untold_conflicts)",
                "untold conflicts of {{primary}}"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query("sum(increase(cellmesh_sink_rewinds_total" + RATE + "))", "rewinds"),
            new Query(
                "sum(increase(cellmesh_sink_rejected_without_value_total" + RATE + "))",
                "rejected without value"));
  }

  private static Dashboard log() {
    return new Dashboard("log", "Cellmesh: log")
        .panel(
            "Cells handed to the log",
            A_SECOND,
            new Query(
                "sum by (connector) (rate(cellmesh_source_cells_total" + RATE + "))",
                "{{connector}}"))
        .panel(
            "Behind the master",
            SECONDS,
            new Query("max by (connector) (cellmesh_source_lag_seconds)", "{{connector}}"))
        .panel(
            "Transactions behind the master",
            NUMBER,
            new Query("max by (connector) (cellmesh_source_lag_transactions)", "{{connector}}"))
        .panel(
            "Since the server was heard",
            SECONDS,
            new Query("max by (connector) (cellmesh_source_silent_seconds)", "{{connector}}"))
        .panel(
            "Server that is read",
            YES,
            new Query(
                "max by (connector, server) (cellmesh_source_reading)", "{{connector}} {{server}}"))
        .panel(
            "Whether it is heard, and the one to read",
            YES,
            new Query("max by (connector) (cellmesh_source_connected)", "{{connector}} is heard"),
            new Query(
                "max by (connector) (cellmesh_source_reads_second_choice)",
                "{{connector}} is the second choice"))
        .panel(
            "Task",
            YES,
            new Query("max by (connector) (cellmesh_source_task_alive)", "{{connector}} lives"),
            new Query(
                "max by (connector, reason) (cellmesh_source_task_waits_for)",
                "{{connector}} waits: {{reason}}"))
        .panel(
            "Restarts of the task",
            NUMBER,
            new Query(
                "max by (connector) (increase(cellmesh_source_task_restarts_total" + RATE + "))",
                "{{connector}}"))
        .panel(
            "Transactions by their number",
            A_SECOND,
            new Query(
                "max by (connector, source) (deriv(cellmesh_source_last_gtid" + RATE + "))",
                "{{connector}} of {{source}}"))
        .panel(
            "Rows that somebody has changed",
            NUMBER,
            new Query("max by (connector) (cellmesh_source_violations_total)", "{{connector}}"))
        .panel(
            "Rebuilds: shards left",
            NUMBER,
            new Query("max by (connector) (cellmesh_source_rebuild_shards_left)", "{{connector}}"))
        .panel(
            "Rebuilds: cells read",
            A_SECOND,
            new Query(
                "sum by (connector) (rate(cellmesh_source_rebuild_cells_total" + RATE + "))",
                "{{connector}}"));
  }

  private static Dashboard indexes() {
    return new Dashboard("indexes", "Cellmesh: indexes")
        .panel(
            "Passes that run",
            YES,
            new Query("max by (pass) (cellmesh_index_up)", "{{pass}}"),
            new Query("min(cellmesh_index_passes_known)", "passes are known"))
        .panel(
            "States",
            NUMBER,
            new Query("sum by (pass, state) (cellmesh_index_state)", "{{pass}} {{state}}"),
            new Query("sum by (pass) (cellmesh_index_halted)", "{{pass}} waits for a person"))
        .panel(
            "Records of the log not fetched yet",
            NUMBER,
            new Query("sum by (pass) (cellmesh_index_records_behind)", "{{pass}}"))
        .panel(
            "How late the last record was",
            SECONDS,
            new Query("max by (pass) (cellmesh_index_lag_seconds)", "{{pass}}"))
        .panel(
            "Stream threads",
            NUMBER,
            new Query("sum by (pass) (cellmesh_index_threads)", "{{pass}}"),
            new Query(
                "sum by (pass) (increase(cellmesh_index_thread_deaths_total" + RATE + "))",
                "{{pass}} died"))
        .panel(
            "Restoring state",
            NUMBER,
            new Query("sum by (pass) (cellmesh_index_records_to_restore)", "{{pass}} records"),
            new Query("sum by (pass) (cellmesh_index_restoring_partitions)", "{{pass}} partitions"))
        .panel(
            "Cells that fit no index",
            A_SECOND,
            new Query(
                "sum by (pass) (rate(cellmesh_index_unindexed_total" + RATE + "))", "{{pass}}"))
        .panel(
            "Entries written",
            A_SECOND,
            new Query(
                "sum by (connector, cluster) (rate(cellmesh_index_sink_entries_total" + RATE + "))",
                "{{connector}} {{cluster}}"))
        .panel(
            "From the log to the index row",
            SECONDS,
            new Query(
                "max by (connector) (cellmesh_index_sink_age_seconds_p50)", "{{connector}} median"),
            new Query(
                "max by (connector) (cellmesh_index_sink_age_seconds_p99)",
                "{{connector}} 99 of 100"),
            new Query(
                "max by (connector) (cellmesh_index_sink_age_seconds_max)", "{{connector}} oldest"))
        .panel(
            "Time of a transaction",
            SECONDS,
            new Query(
                "max by (cluster) (cellmesh_index_sink_write_seconds_p50)", "{{cluster}} median"),
            new Query(
                "max by (cluster) (cellmesh_index_sink_write_seconds_p99)",
                "{{cluster}} 99 of 100"),
            new Query(
                "max by (cluster) (cellmesh_index_sink_write_seconds_max)", "{{cluster}} longest"))
        .panel(
            "Entries in a transaction",
            NUMBER,
            new Query("avg(cellmesh_index_sink_batch_entries_avg)", "mean"),
            new Query("max(cellmesh_index_sink_batch_entries_max)", "largest"))
        .panel(
            "Offsets that clusters lack",
            NUMBER,
            new Query(
                "sum by (connector, cluster) (cellmesh_index_sink_waiting_offsets)",
                "{{connector}} {{cluster}}"))
        .panel(
            "For how long",
            SECONDS,
            new Query(
                "max by (connector, cluster) (cellmesh_index_sink_waiting_seconds)",
                "{{connector}} {{cluster}}"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query("sum(increase(cellmesh_index_sink_rejected_total" + RATE + "))", "malformed"),
            new Query(
                "sum(increase(cellmesh_index_sink_unindexed_without_value_total" + RATE + "))",
                "malformed, without value"),
            new Query(
                "sum(increase(cellmesh_index_sink_partition_rewinds_total" + RATE + "))",
                "rewinds"));
  }

  private static Dashboard mesh() {
    return new Dashboard("mesh", "Cellmesh: mesh")
        .panel("Links that run", YES, new Query("max by (peer) (cellmesh_mesh_up)", "{{peer}}"))
        .panel(
            "States",
            NUMBER,
            new Query("sum by (peer, state) (cellmesh_mesh_state)", "{{peer}} {{state}}"),
            new Query("sum by (peer) (cellmesh_mesh_halted)", "{{peer}} waits for a person"))
        .panel(
            "Records of the peers' logs not fetched yet",
            NUMBER,
            new Query("sum by (peer) (cellmesh_mesh_records_behind)", "{{peer}}"))
        .panel(
            "How old the last cell was",
            SECONDS,
            new Query("max by (peer) (cellmesh_mesh_lag_seconds)", "{{peer}}"))
        .panel(
            "Cells taken",
            A_SECOND,
            new Query("sum by (peer) (rate(cellmesh_mesh_taken_total" + RATE + "))", "{{peer}}"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query(
                "sum by (peer) (increase(cellmesh_mesh_set_aside_total" + RATE + "))",
                "{{peer}} damaged"),
            new Query(
                "sum by (peer) (increase(cellmesh_mesh_steps_back_total" + RATE + "))",
                "{{peer}} steps back"),
            new Query(
                "sum by (peer) (increase(cellmesh_mesh_restarts_total" + RATE + "))",
                "{{peer}} restarts"),
            new Query(
                "sum by (peer, origin) (increase(cellmesh_mesh_unlinked_total" + RATE + "))",
                "{{origin}} has no link"));
  }

  private static Dashboard cluster() {
    return new Dashboard("cluster", "Cellmesh: a storage cluster")
        .ofCluster("cellmesh_sink_waiting_cells")
        .panel(
            "Cells that wait for its master",
            NUMBER,
            new Query("sum(cellmesh_sink_waiting_cells{primary=~\"$cluster\"})", "cells"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query("max(cellmesh_sink_waiting_oldest_seconds{primary=~\"$cluster\"})", "age"))
        .panel(
            "Copies in its buffers, for others",
            NUMBER,
            new Query("sum(cellmesh_sink_buffered_cells{secondary=~\"$cluster\"})", "copies"))
        .panel(
            "The oldest of them",
            SECONDS,
            new Query("max(cellmesh_sink_buffered_oldest_seconds{secondary=~\"$cluster\"})", "age"))
        .panel(
            "What stands still or is not told",
            NUMBER,
            new Query(
                "sum(cellmesh_sink_lanes_with_gap{primary=~\"$cluster\"})", "lanes with a gap"),
            new Query(
                "sum(cellmesh_sink_untold_conflicts{primary=~\"$cluster\"})", "untold conflicts"))
        .panel(
            "Its log behind its master",
            SECONDS,
            new Query(
                "max by (connector) (cellmesh_source_lag_seconds{connector=~\".+-source-$cluster\"})",
                "{{connector}}"))
        .panel(
            "Server that its log is read from",
            YES,
            new Query(
                "max by (server) (cellmesh_source_reading{connector=~\".+-source-$cluster\"})",
                "{{server}}"))
        .panel(
            "Cells of it handed to the log",
            A_SECOND,
            new Query(
                "sum(rate(cellmesh_source_cells_total{connector=~\".+-source-$cluster\"}"
                    + RATE
                    + "))",
                "cells"))
        .panel(
            "Index entries written to it",
            A_SECOND,
            new Query(
                "sum by (connector) (rate(cellmesh_index_sink_entries_total{cluster=~\"$cluster\"}"
                    + RATE
                    + "))",
                "{{connector}}"))
        .panel(
            "Index entries that it lacks",
            SECONDS,
            new Query(
                "max by (connector) (cellmesh_index_sink_waiting_seconds{cluster=~\"$cluster\"})",
                "{{connector}}"));
  }
}
