package io.cellmesh.e2e.monitoring;

import static io.cellmesh.e2e.monitoring.Dashboard.Unit.A_SECOND;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.NUMBER;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.SECONDS;
import static io.cellmesh.e2e.monitoring.Dashboard.Unit.YES;

import io.cellmesh.e2e.monitoring.Dashboard.Query;

/** From the log to the index tables: the passes, their entries and how late these are. */
final class IndexesDashboard {
  private IndexesDashboard() {}

  static Dashboard dashboard() {
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
                "sum by (dc, pass) (increase(cellmesh_index_thread_deaths_total[5m]))",
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
                "sum by (dc, pass) (rate(cellmesh_index_unindexed_total[5m]))", "{{dc}} {{pass}}"))
        .panel(
            "Entries written",
            A_SECOND,
            new Query(
                "sum by (dc, connector, cluster) (rate(cellmesh_index_sink_entries_total[5m]))",
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
                "sum by (dc) (increase(cellmesh_index_sink_rejected_total[5m]))",
                "{{dc}} malformed"),
            new Query(
                "sum by (dc) (increase(cellmesh_index_sink_unindexed_without_value_total[5m]))",
                "{{dc}} malformed, without value"),
            new Query(
                "sum by (dc) (increase(cellmesh_index_sink_partition_rewinds_total[5m]))",
                "{{dc}} rewinds"));
  }
}
