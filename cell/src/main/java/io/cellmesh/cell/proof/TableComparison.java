package io.cellmesh.cell.proof;

import io.cellmesh.cell.proof.Difference.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds the entity rows of a server against what is folded of its own data centre's log (invariant
 * 14), which is itself held against the logs of the origins. The rows may have been read before or
 * after the log: what is compared is what both have. For one thread.
 */
public final class TableComparison {
  private final Map<OriginShard, TreeMap<Long, Bucket>> log = new HashMap<>();
  private final Map<Integer, FoldPlace> places = new HashMap<>();

  /** Takes in a record of the data centre's {@code trips.checkpoint}; null removes what it told. */
  public void log(byte[] key, byte[] value) {
    var text = new String(key, StandardCharsets.UTF_8);
    FoldPlace.read(text, value)
        .filter(place -> place.source() == FoldSource.LOG)
        .ifPresent(place -> places.put(place.partition(), place));
    BucketKey.parse(text)
        .filter(named -> named.source() == FoldSource.LOG)
        .ifPresent(named -> put(named, value));
  }

  /** Whether anything was ever told of a partition of the log. */
  public boolean knows(int partition) {
    return places.containsKey(partition);
  }

  /** The highest origin_ids that the log has, at this moment. */
  public Map<OriginShard, Long> reached() {
    var reached = new HashMap<OriginShard, Long>();
    log.forEach((cells, buckets) -> reached.put(cells, last(buckets)));
    return reached;
  }

  /**
   * Compares.
   *
   * @param rows of whole shards in the order of their added_ids, folded from their first
   * @param shards that were read
   * @param expected origin_ids up to which the server must have all that the log has; none where it
   *     may lag
   * @return what differs, by shard and origin
   */
  public List<Difference> differences(
      Map<BucketKey, Bucket> rows, Set<Integer> shards, Map<OriginShard, Long> expected) {
    var tables = new HashMap<OriginShard, TreeMap<Long, Bucket>>();
    rows.forEach(
        (key, bucket) ->
            tables.computeIfAbsent(key.cells(), c -> new TreeMap<>()).put(key.number(), bucket));
    var all = new HashSet<>(log.keySet());
    all.addAll(tables.keySet());
    var differences = new ArrayList<Difference>();
    for (var cells : all) {
      if (shards.contains(cells.shard())) {
        var here = tables.getOrDefault(cells, new TreeMap<>());
        if (expected.containsKey(cells)) {
          reached(here, expected.get(cells));
        }
        compare(cells, log.getOrDefault(cells, new TreeMap<>()), here, differences);
      }
    }
    differences.sort(
        Comparator.comparingInt((Difference found) -> found.cells().shard())
            .thenComparing(found -> found.cells().origin())
            .thenComparingLong(Difference::first));
    return differences;
  }

  private static void compare(
      OriginShard cells,
      TreeMap<Long, Bucket> there,
      TreeMap<Long, Bucket> here,
      List<Difference> differences) {
    var numbers = new TreeSet<>(there.keySet());
    numbers.addAll(here.keySet());
    for (long number : numbers) {
      var original = ShardAgreement.of(there, number);
      var row = ShardAgreement.of(here, number);
      if (original != null && row != null) {
        new BucketComparison(cells, FoldSource.TABLE, original, row, Bucket.NONE)
            .differences().stream()
                .filter(found -> !isInvertedAlike(found, original, row))
                .forEach(differences::add);
      }
    }
  }

  /**
   * A log that has cells out of order is told of where it is held against the origin's; and where
   * it stands before what is folded of it, nobody knows whether it has.
   */
  private static boolean isInvertedAlike(Difference found, Bucket original, Bucket row) {
    return found.kind() == Kind.INVERTED
        && (row.inverted() <= original.inverted() || row.firstInverted() < original.from());
  }

  private static void reached(TreeMap<Long, Bucket> side, long originId) {
    if (originId > last(side)) {
      long number = Bucket.numberOf(originId);
      side.computeIfAbsent(number, n -> new Bucket(n, 0, 0)).reached(originId);
      side.headMap(number).values().forEach(Bucket::finish);
    }
  }

  private static long last(TreeMap<Long, Bucket> side) {
    return side.isEmpty() ? Bucket.NONE : side.lastEntry().getValue().last();
  }

  private void put(BucketKey key, byte[] value) {
    var buckets = log.computeIfAbsent(key.cells(), cells -> new TreeMap<>());
    var bucket = value == null ? null : BucketCodec.read(key, value).orElse(null);
    if (bucket == null) {
      buckets.remove(key.number());
    } else {
      buckets.put(key.number(), bucket);
    }
  }
}
