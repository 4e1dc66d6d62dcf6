package io.cellmesh.cell;

import java.util.Locale;

/**
 * The names of an instance's topics.
 *
 * @param instance matches {@link Names#INSTANCE}
 */
public record Topics(String instance) {

  /** What this data centre's own producers write. */
  public String cells() {
    return instance + ".cells";
  }

  /** What the peers wrote, brought here by herb-replicator. */
  public String mesh() {
    return instance + ".mesh";
  }

  /** Who this data centre is, and where each of its links stands with its peer. */
  public String meshPlace() {
    return instance + ".mesh-place";
  }

  /**
   * This data centre's own cells for one that joins, where the log has no longer all of them.
   *
   * @param datacenter that joins; empty for the beginning of all such names
   */
  public String seed(String datacenter) {
    return instance + ".seed." + datacenter;
  }

  /** What this data centre holds of each origin, digested, for the proof that all agree. */
  public String checkpoint() {
    return instance + ".checkpoint";
  }

  /** Every cell of the instance, in commit order per shard. */
  public String log() {
    return instance + ".log";
  }

  /** The cells of one shard, where each shard has a topic of its own. */
  public String log(int shard) {
    return String.format(Locale.ROOT, "%s.%04d", log(), shard);
  }

  /**
   * The log's records of one column, for those who want no other; it always has P partitions.
   *
   * @param column fits into a topic's name, as {@link TriggerColumns} has it
   */
  public String trigger(String column) {
    return instance + ".trigger." + column;
  }

  /** How far each storage cluster's log has come while there are no cells; carries none itself. */
  public String heartbeat() {
    return instance + ".heartbeat";
  }

  /** Input that became no cell, and conflicts, with the reason in the headers. */
  public String rejected() {
    return instance + ".rejected";
  }

  /** Cells whose fields did not fit an index. */
  public String unindexed() {
    return instance + ".unindexed";
  }

  /**
   * Entries of an index.
   *
   * @param label of the index and its version
   */
  public String index(String label) {
    return instance + ".index." + label;
  }

  /** Which indexes are kept together, for index-streams. */
  public String passes() {
    return instance + ".passes";
  }

  /** What triggers remember: their creation, parked rows, attempts, requests. */
  public String triggerState() {
    return instance + ".trigger-state";
  }

  /** Records of the log that a trigger gave up on, with the reason in the headers. */
  public String parked() {
    return instance + ".parked";
  }

  /** Rows of the entity tables, for the indexes of a pass alone. */
  public String indexBackfill(String pass) {
    return instance + ".index-backfill." + pass;
  }
}
