package io.cellmesh.cli.verify;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cli.deployment.IndexFile;
import java.sql.SQLException;
import java.util.TreeMap;

/**
 * Invariant 7: an index's tables hold what follows from the cells. A first pass compares sums shard
 * by shard, in fixed memory; only for shards that differ does a second one name the entries.
 */
final class IndexCheck {
  static final String ENTRIES = "entries";

  /** Of very many differing shards, some are enough to name. */
  private static final int SHARDS_EXPLAINED = 8;

  private final Snapshot snapshot;
  private final IndexFile index;
  private final IndexRecomputation recomputation;
  private final IndexSums expected;
  private final Tally tally;

  IndexCheck(Snapshot snapshot, IndexFile index) {
    this.snapshot = snapshot;
    this.index = index;
    this.recomputation = new IndexRecomputation(index.definition());
    this.expected = new IndexSums(snapshot.topology().shards().count());
    this.tally = new Tally(Check.INDEX, snapshot.name(), ENTRIES);
  }

  /** Takes in the cells of a partition. */
  void expect(Entities entities) {
    recomputation.entries(entities, entry -> expected.add(shardOf(entry), entry));
  }

  /** To be called after all partitions. */
  void compare() throws SQLException {
    var found = new IndexSums(snapshot.topology().shards().count());
    for (int shard = 0; shard < snapshot.topology().shards().count(); shard++) {
      int at = shard;
      snapshot.indexed(index, shard, entry -> found.add(at, entry));
    }
    tally.count(ENTRIES, found.total());
    explain(expected.differing(found));
  }

  CheckResult result() {
    return tally.result();
  }

  private void explain(int[] shards) throws SQLException {
    var differences = new TreeMap<Integer, IndexDifference>();
    for (int shard : shards) {
      if (differences.size() < SHARDS_EXPLAINED) {
        differences.put(shard, new IndexDifference(index.definition(), shard, tally));
      } else {
        tally.offence("index shard " + shard, "differs from the cells");
      }
    }
    if (differences.isEmpty()) {
      return;
    }
    for (int p = 0; p < snapshot.topology().shards().partitions(); p++) {
      recomputation.entries(
          snapshot.entities(p),
          entry -> {
            var difference = differences.get(shardOf(entry));
            if (difference != null) {
              difference.expect(entry);
            }
          });
    }
    for (var difference : differences.entrySet()) {
      snapshot.indexed(index, difference.getKey(), difference.getValue()::found);
      difference.getValue().finish();
    }
  }

  private int shardOf(IndexEntry entry) {
    return snapshot.topology().shards().of(entry.shardValue());
  }
}
