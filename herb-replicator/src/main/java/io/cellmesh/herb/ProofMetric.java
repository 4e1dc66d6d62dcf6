package io.cellmesh.herb;

import io.cellmesh.health.AppMetric;
import java.util.List;

/** Every metric of the proof that data centres agree, as the table on its page lists them. */
public enum ProofMetric implements AppMetric {
  DIFFERENCES(
      "differences",
      Kind.GAUGE,
      "Buckets in which this data centre's topic differs from the peer's log: cells that are missing, extra, changed or inverted.",
      "cellmesh_instance",
      "peer",
      "in"),
  ABSENT(
      "absent_cells",
      Kind.GAUGE,
      "Cells of the peer that the log here has not, in what was compared: refused, accepted here as well, or lost; `cellmesh mesh status` says which.",
      "cellmesh_instance",
      "peer"),
  AGREED(
      "agreed_cells",
      Kind.GAUGE,
      "Cells of the peer that are in this data centre's topic as in the peer's log.",
      "cellmesh_instance",
      "peer",
      "in"),
  WAITING(
      "waiting_cells",
      Kind.GAUGE,
      "Cells of the peer's log that have not arrived in the mesh topic, as both told last.",
      "cellmesh_instance",
      "peer"),
  REPEATS(
      "repeats",
      Kind.GAUGE,
      "Cells of the peer that came again in the mesh topic.",
      "cellmesh_instance",
      "peer"),
  PROOF_UP(
      "proof_up",
      Kind.GAUGE,
      "1 while this data centre is compared with the peer.",
      "cellmesh_instance",
      "peer"),
  AGE(
      "proof_age_seconds",
      Kind.GAUGE,
      "How long ago the folding of a partition, here or at the peer, was heard of that was silent longest, by both data centres' clocks.",
      "cellmesh_instance",
      "peer"),
  FOLD_UP("fold_up", Kind.GAUGE, "1 while the topic is folded.", "cellmesh_instance", "in"),
  FOLD_BEHIND(
      "fold_records_behind",
      Kind.GAUGE,
      "Records that are not folded yet.",
      "cellmesh_instance",
      "in"),
  FOLDED("folded_total", Kind.COUNTER, "Records that were folded.", "cellmesh_instance", "in"),
  DAMAGED(
      "fold_damaged_total",
      Kind.COUNTER,
      "Records that are no cells and were left out.",
      "cellmesh_instance",
      "in"),
  CUT(
      "fold_cut_total",
      Kind.COUNTER,
      "Partitions of which records had expired before they were folded: what was in them is not proved.",
      "cellmesh_instance",
      "in");

  private final Description description;

  ProofMetric(String name, Kind kind, String meaning, String... labels) {
    this.description = new Description("cellmesh_mesh_" + name, kind, meaning, List.of(labels));
  }

  @Override
  public Description description() {
    return description;
  }
}
