package io.cellmesh.operations.verify;

import io.cellmesh.operations.IndexFile;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Invariant 7: an index's tables hold what follows from the cells. A first pass compares sums shard
 * by shard, in fixed memory; only for shards that differ does a second one name the entries.
 */
final class IndexCheck {
  static final String ENTRIES = "entries";

  /** Of very many differing shards, some are enough to name. */
  private static final int SHARDS_EXPLAINED = 8;

  /** Of whole shards that are compared at one time, so that a large index fits into memory. */
  private static final long ENTRIES_HELD = 1_000_000;

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
    recomputation.entries(entities, entry -> expected.add(shardOf(entry.shardValue()), entry));
  }

  /** Takes in what another check of the same index was told to expect. */
  void add(IndexCheck other) {
    expected.add(other.expected);
  }

  /** To be called after all partitions. */
  void compare() throws SQLException {
    var found = found();
    tally.count(ENTRIES, found.total());
    var differing = expected.differing(found);
    int explained = Math.min(SHARDS_EXPLAINED, differing.length);
    explain(
        Arrays.copyOf(differing, explained),
        (entry, what) ->
            tally.offence(
                "%s: row %s (index shard %d)"
                    .formatted(index.label(), entry.rowKey(), shardOf(entry.shardValue())),
                what));
    for (int i = explained; i < differing.length; i++) {
      tally.offence("index shard " + differing[i], "differs from the cells");
    }
  }

  /**
   * The same, but every entry that differs is named; to be called after all partitions.
   *
   * @return how many entries the index has
   */
  long compareAll(BiConsumer<IndexIdentity, String> offences) throws SQLException {
    var found = found();
    var differing = expected.differing(found);
    for (int from = 0; from < differing.length; ) {
      int to = from;
      for (long held = 0; to < differing.length && held < ENTRIES_HELD; to++) {
        held += expected.count(differing[to]);
      }
      explain(Arrays.copyOfRange(differing, from, to), offences);
      from = to;
    }
    return found.total();
  }

  CheckResult result() {
    return tally.result();
  }

  private IndexSums found() throws SQLException {
    int shards = snapshot.topology().shards().count();
    return PartitionPool.over(
        shards,
        numbers -> {
          var sums = new IndexSums(shards);
          numbers.each(shard -> snapshot.indexed(index, shard, entry -> sums.add(shard, entry)));
          return sums;
        },
        IndexSums::add);
  }

  private void explain(int[] shards, BiConsumer<IndexIdentity, String> offences)
      throws SQLException {
    if (shards.length == 0) {
      return;
    }
    var differences = new TreeMap<Integer, IndexDifference>();
    for (int shard : shards) {
      differences.put(shard, new IndexDifference(index.definition(), offences));
    }
    for (int p = 0; p < snapshot.topology().shards().partitions(); p++) {
      recomputation.entries(
          snapshot.entities(p),
          entry -> {
            var difference = differences.get(shardOf(entry.shardValue()));
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

  private int shardOf(String shardValue) {
    return snapshot.topology().shards().of(shardValue);
  }
}
