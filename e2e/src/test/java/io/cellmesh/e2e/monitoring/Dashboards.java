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
    return List.of(overview(), sink(), log(), indexes(), mesh(), triggers(), cluster());
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
                "sum by (dc, connector) (rate(cellmesh_sink_cells_total{outcome=\"stored\"}"
                    + RATE
                    + "))",
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
            new Query("sum by (dc, peer) (cellmesh_mesh_records_behind)", "{{dc}} {{peer}}"))
        .panel(
            "Servers that are left alone",
            SECONDS,
            new Query("max by (dc, server) (cellmesh_sink_down_seconds)", "{{dc}} {{server}}"));
  }

  private static Dashboard sink() {
    return new Dashboard("sink", "Cellmesh: sink")
        .panel(
            "Cells by what became of them",
            A_SECOND,
            new Query(
                "sum by (dc, outcome) (rate(cellmesh_sink_cells_total" + RATE + "))",
                "{{dc}} {{outcome}}"))
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
                "sum by (dc, hop) (rate(cellmesh_sink_time_seconds_total" + RATE + "))",
                "{{dc}} {{hop}}"))
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
            "What should be rare",
            NUMBER,
            new Query(
                "sum by (dc) (increase(cellmesh_sink_rewinds_total" + RATE + "))",
                "{{dc}} rewinds"),
            new Query(
                "sum by (dc) (increase(cellmesh_sink_rejected_without_value_total" + RATE + "))",
                "{{dc}} rejected without value"));
  }

  private static Dashboard log() {
    return new Dashboard("log", "Cellmesh: log")
        .panel(
            "Cells handed to the log",
            A_SECOND,
            new Query(
                "sum by (dc, connector) (rate(cellmesh_source_cells_total" + RATE + "))",
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
                "max by (dc, connector) (increase(cellmesh_source_task_restarts_total"
                    + RATE
                    + "))",
                "{{dc}} {{connector}}"))
        .panel(
            "Transactions by their number",
            A_SECOND,
            new Query(
                "max by (dc, connector, source) (deriv(cellmesh_source_last_gtid" + RATE + "))",
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
                "sum by (dc, connector) (rate(cellmesh_source_rebuild_cells_total" + RATE + "))",
                "{{dc}} {{connector}}"));
  }

  private static Dashboard indexes() {
    return new Dashboard("indexes", "Cellmesh: indexes")
        .panel(
            "Passes that run",
            YES,
            new Query("max by (dc, pass) (cellmesh_index_up)", "{{dc}} {{pass}}"),
            new Query("min by (dc) (cellmesh_index_passes_known)", "{{dc}} passes are known"))
        .panel(
            "States",
            NUMBER,
            new Query(
                "sum by (dc, pass, state) (cellmesh_index_state)", "{{dc}} {{pass}} {{state}}"),
            new Query(
                "sum by (dc, pass) (cellmesh_index_halted)", "{{dc}} {{pass}} waits for a person"))
        .panel(
            "Records of the log not fetched yet",
            NUMBER,
            new Query("sum by (dc, pass) (cellmesh_index_records_behind)", "{{dc}} {{pass}}"))
        .panel(
            "How late the last record was",
            SECONDS,
            new Query("max by (dc, pass) (cellmesh_index_lag_seconds)", "{{dc}} {{pass}}"))
        .panel(
            "Stream threads",
            NUMBER,
            new Query("sum by (dc, pass) (cellmesh_index_threads)", "{{dc}} {{pass}}"),
            new Query(
                "sum by (dc, pass) (increase(cellmesh_index_thread_deaths_total" + RATE + "))",
                "{{dc}} {{pass}} died"))
        .panel(
            "Restoring state",
            NUMBER,
            new Query(
                "sum by (dc, pass) (cellmesh_index_records_to_restore)", "{{dc}} {{pass}} records"),
            new Query(
                "sum by (dc, pass) (cellmesh_index_restoring_partitions)",
                "{{dc}} {{pass}} partitions"))
        .panel(
            "Cells that fit no index",
            A_SECOND,
            new Query(
                "sum by (dc, pass) (rate(cellmesh_index_unindexed_total" + RATE + "))",
                "{{dc}} {{pass}}"))
        .panel(
            "Entries written",
            A_SECOND,
            new Query(
                "sum by (dc, connector, cluster) (rate(cellmesh_index_sink_entries_total"
                    + RATE
                    + "))",
                "{{dc}} {{connector}} {{cluster}}"))
        .panel(
            "From the log to the index row",
            SECONDS,
            new Query(
                "max by (dc, connector) (cellmesh_index_sink_age_seconds_p50)",
                "{{dc}} {{connector}} median"),
            new Query(
                "max by (dc, connector) (cellmesh_index_sink_age_seconds_p99)",
                "{{dc}} {{connector}} 99 of 100"),
            new Query(
                "max by (dc, connector) (cellmesh_index_sink_age_seconds_max)",
                "{{dc}} {{connector}} oldest"))
        .panel(
            "Time of a transaction",
            SECONDS,
            new Query(
                "max by (dc, cluster) (cellmesh_index_sink_write_seconds_p50)",
                "{{dc}} {{cluster}} median"),
            new Query(
                "max by (dc, cluster) (cellmesh_index_sink_write_seconds_p99)",
                "{{dc}} {{cluster}} 99 of 100"),
            new Query(
                "max by (dc, cluster) (cellmesh_index_sink_write_seconds_max)",
                "{{dc}} {{cluster}} longest"))
        .panel(
            "Entries in a transaction",
            NUMBER,
            new Query("avg by (dc) (cellmesh_index_sink_batch_entries_avg)", "{{dc}} mean"),
            new Query("max by (dc) (cellmesh_index_sink_batch_entries_max)", "{{dc}} largest"))
        .panel(
            "Offsets that clusters lack",
            NUMBER,
            new Query(
                "sum by (dc, connector, cluster) (cellmesh_index_sink_waiting_offsets)",
                "{{dc}} {{connector}} {{cluster}}"))
        .panel(
            "For how long",
            SECONDS,
            new Query(
                "max by (dc, connector, cluster) (cellmesh_index_sink_waiting_seconds)",
                "{{dc}} {{connector}} {{cluster}}"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query(
                "sum by (dc) (increase(cellmesh_index_sink_rejected_total" + RATE + "))",
                "{{dc}} malformed"),
            new Query(
                "sum by (dc) (increase(cellmesh_index_sink_unindexed_without_value_total"
                    + RATE
                    + "))",
                "{{dc}} malformed, without value"),
            new Query(
                "sum by (dc) (increase(cellmesh_index_sink_partition_rewinds_total" + RATE + "))",
                "{{dc}} rewinds"));
  }

  private static Dashboard mesh() {
    return new Dashboard("mesh", "Cellmesh: mesh")
        .panel(
            "Links that run",
            YES,
            new Query("max by (dc, peer) (cellmesh_mesh_up)", "{{dc}} {{peer}}"))
        .panel(
            "States",
            NUMBER,
            new Query(
                "sum by (dc, peer, state) (cellmesh_mesh_state)", "{{dc}} {{peer}} {{state}}"),
            new Query(
                "sum by (dc, peer) (cellmesh_mesh_halted)", "{{dc}} {{peer}} waits for a person"))
        .panel(
            "Records of the peers' logs not fetched yet",
            NUMBER,
            new Query("sum by (dc, peer) (cellmesh_mesh_records_behind)", "{{dc}} {{peer}}"))
        .panel(
            "How old the last cell was",
            SECONDS,
            new Query("max by (dc, peer) (cellmesh_mesh_lag_seconds)", "{{dc}} {{peer}}"))
        .panel(
            "Cells taken",
            A_SECOND,
            new Query(
                "sum by (dc, peer) (rate(cellmesh_mesh_taken_total" + RATE + "))",
                "{{dc}} {{peer}}"))
        .panel(
            "What should be rare",
            NUMBER,
            new Query(
                "sum by (dc, peer) (increase(cellmesh_mesh_set_aside_total" + RATE + "))",
                "{{dc}} {{peer}} damaged"),
            new Query(
                "sum by (dc, peer) (increase(cellmesh_mesh_steps_back_total" + RATE + "))",
                "{{dc}} {{peer}} steps back"),
            new Query(
                "sum by (dc, peer) (increase(cellmesh_mesh_restarts_total" + RATE + "))",
                "{{dc}} {{peer}} restarts"),
            new Query(
                "sum by (dc, peer, origin) (increase(cellmesh_mesh_unlinked_total" + RATE + "))",
                "{{dc}} {{origin}} has no link"));
  }

  private static Dashboard triggers() {
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
                "sum by (dc, trigger) (rate(cellmesh_trigger_called_total" + RATE + "))",
                "{{dc}} {{trigger}} called"),
            new Query(
                "sum by (dc, trigger) (rate(cellmesh_trigger_failed_total" + RATE + "))",
                "{{dc}} {{trigger}} failed"))
        .panel(
            "Rows that are parked",
            NUMBER,
            new Query("sum by (dc, trigger) (cellmesh_trigger_parked_rows)", "{{dc}} {{trigger}}"))
        .panel(
            "Cells parked and replayed",
            NUMBER,
            new Query(
                "sum by (dc, trigger) (increase(cellmesh_trigger_parked_total" + RATE + "))",
                "{{dc}} {{trigger}} parked"),
            new Query(
                "sum by (dc, trigger) (increase(cellmesh_trigger_replayed_total" + RATE + "))",
                "{{dc}} {{trigger}} replayed"));
  }

  private static Dashboard cluster() {
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
                "max by (dc, connector) (cellmesh_source_lag_seconds{connector=~\".+-source-$cluster\"})",
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
                "sum by (dc) (rate(cellmesh_source_cells_total{connector=~\".+-source-$cluster\"}"
                    + RATE
                    + "))",
                "{{dc}} cells"))
        .panel(
            "Index entries written to it",
            A_SECOND,
            new Query(
                "sum by (dc, connector) (rate(cellmesh_index_sink_entries_total{cluster=~\"$cluster\"}"
                    + RATE
                    + "))",
                "{{dc}} {{connector}}"))
        .panel(
            "Index entries that it lacks",
            SECONDS,
            new Query(
                "max by (dc, connector) (cellmesh_index_sink_waiting_seconds{cluster=~\"$cluster\"})",
                "{{dc}} {{connector}}"));
  }
}
