package io.cellmesh.herb;

import io.cellmesh.health.AppMetric;
import java.util.List;

/** Every metric of herb-replicator, as the table on its page lists them. */
public enum LinkMetric implements AppMetric {
  FILES_IN_FORCE(
      "files_in_force",
      Kind.GAUGE,
      "0 while the file of --cohorts, or a deployment that it names, can't be used, and what it said before counts."),
  UP("up", Kind.GAUGE, "1 while the link reads and writes.", "cellmesh_instance", "peer"),
  HALTED(
      "halted",
      Kind.GAUGE,
      "1 while the link waits for a person, who has to decide.",
      "cellmesh_instance",
      "peer"),
  STATE(
      "state",
      Kind.GAUGE,
      "Always 1; the label says which state the link is in.",
      "cellmesh_instance",
      "peer",
      "state"),
  BEHIND(
      "records_behind",
      Kind.GAUGE,
      "Records of the peer's log that this process has not fetched yet, and over HTTP those that wait for room; 0 while the link does not run.",
      "cellmesh_instance",
      "peer"),
  LAG(
      "lag_seconds",
      Kind.GAUGE,
      "How old the cell of the peer's log was that was read last, by both data centres' clocks; none before the first. It stays as it was while nothing comes.",
      "cellmesh_instance",
      "peer"),
  FULL(
      "full_windows",
      Kind.GAUGE,
      "Partitions that the link does not read on for now, since its window there is full of cells that this data centre's sink has not passed.",
      "cellmesh_instance",
      "peer"),
  SINK_WAIT(
      "sink_wait_seconds",
      Kind.GAUGE,
      "For how long the sink has passed nothing of the one of those that has waited longest; 0 while none is full.",
      "cellmesh_instance",
      "peer"),
  PACE(
      "backlog_pace_cells",
      Kind.GAUGE,
      "Cells a second that the link keeps to while it has a backlog and others' cells come, too; 0 while it brings as many as it can.",
      "cellmesh_instance",
      "peer"),
  TAKEN(
      "taken_total",
      Kind.COUNTER,
      "Cells of the peer that were written to the mesh topic.",
      "cellmesh_instance",
      "peer"),
  STEPS_BACK(
      "steps_back_total",
      Kind.COUNTER,
      "Cells that came after a later one of their shard, as duplicates after a restart do.",
      "cellmesh_instance",
      "peer"),
  SET_ASIDE(
      "set_aside_total",
      Kind.COUNTER,
      "Damaged records of the peer's log, which are told in the topic of the rejected.",
      "cellmesh_instance",
      "peer"),
  RESTARTS(
      "restarts_total",
      Kind.COUNTER,
      "How often the link has failed and begun again.",
      "cellmesh_instance",
      "peer"),
  UNLINKED(
      "unlinked_total",
      Kind.COUNTER,
      "Cells in the peer's log of a data centre that has no link here: nobody brings them.",
      "cellmesh_instance",
      "peer",
      "origin");

  private final Description description;

  LinkMetric(String name, Kind kind, String meaning, String... labels) {
    this.description = new Description("cellmesh_mesh_" + name, kind, meaning, List.of(labels));
  }

  @Override
  public Description description() {
    return description;
  }
}
