package io.cellmesh.operations.verify;

import java.util.Map;

/** Every minion holds the rows of its master: a count and a checksum for each shard. */
final class MinionCheck {
  static final String SHARDS = "shards";
  static final String ROWS = "rows";

  private final Tally tally;

  MinionCheck(Tally tally) {
    this.tally = tally;
  }

  static Tally tally(String datacenter) {
    return new Tally(Check.REPLICAS, datacenter, SHARDS, ROWS);
  }

  /** Compares one minion with its master; both maps have the cluster's shards. */
  void compare(String minion, Map<Integer, ShardSum> onMaster, Map<Integer, ShardSum> onMinion) {
    onMaster.forEach(
        (shard, sum) -> {
          tally.count(SHARDS);
          tally.count(ROWS, sum.rows());
          var other = onMinion.getOrDefault(shard, ShardSum.EMPTY);
          if (other.rows() != sum.rows()) {
            tally.offence(
                "shard " + shard,
                "minion %s has %d rows, the master %d".formatted(minion, other.rows(), sum.rows()));
          } else if (!other.equals(sum)) {
            tally.offence(
                "shard " + shard, "minion %s has as many rows, but others".formatted(minion));
          }
        });
  }
}
