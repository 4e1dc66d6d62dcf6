package io.cellmesh.cell.proof;

import io.cellmesh.cell.Shards;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds what a data centre has of the cells of an origin against the origin's log, from the records
 * of both {@code trips.checkpoint} (invariant 14). It may be asked at any time: what is compared is
 * what both sides have told.
 *
 * <p>Of a bucket on which all agree it keeps the digest, some 200 bytes. For one thread.
 */
public final class Agreement {
  private final String origin;
  private final int partitions;
  private final Map<OriginShard, ShardAgreement> shards = new HashMap<>();
  private final Set<OriginShard> told = new HashSet<>();
  private final Map<Integer, FoldPlace> there = new HashMap<>();
  private final Map<FoldSource, Map<Integer, FoldPlace>> here = new HashMap<>();

  public Agreement(String origin, Shards shards) {
    this.origin = origin;
    this.partitions = shards.partitions();
    for (var source : FoldSource.TOPICS) {
      here.put(source, new HashMap<>());
    }
  }

  /** Takes in a record of the origin's {@code trips.checkpoint}; null removes what it told. */
  public void there(byte[] key, byte[] value) {
    var text = new String(key, StandardCharsets.UTF_8);
    FoldPlace.read(text, value)
        .filter(place -> place.source() == FoldSource.LOG)
        .ifPresent(place -> take(place, there));
    BucketKey.parse(text)
        .filter(named -> named.cells().origin().equals(origin))
        .filter(named -> named.source() == FoldSource.LOG)
        .ifPresent(named -> of(named).there(named.number(), bucket(named, value)));
    ProofStart.read(text, value).ifPresent(start -> of(cells(start)).compareAfter(start.after()));
  }

  /** Takes in a record of the other data centre's {@code trips.checkpoint}. */
  public void here(byte[] key, byte[] value) {
    var text = new String(key, StandardCharsets.UTF_8);
    FoldPlace.read(text, value).ifPresent(place -> take(place, here.get(place.source())));
    BucketKey.parse(text)
        .filter(named -> named.cells().origin().equals(origin))
        .ifPresent(named -> of(named).here(named.source(), named.number(), bucket(named, value)));
  }

  /** Where records have expired unfolded, what was found before is looked at again. */
  private void take(FoldPlace place, Map<Integer, FoldPlace> places) {
    long before = cutAt(places, place.partition());
    places.put(place.partition(), place);
    if (before != place.cutAt()) {
      shards.keySet().stream()
          .filter(cells -> cells.shard() % partitions == place.partition())
          .forEach(told::add);
    }
  }

  /** Compares what has been told. */
  public Verdict verdict() {
    var sum = new VerdictSum();
    for (var shard : new TreeMap<>(shards).values()) {
      if (shard.isAhead() || told.contains(shard.cells())) {
        int partition = shard.cells().shard() % partitions;
        shard.compare(
            restedAt(partition),
            isWhole(partition),
            cutAt(there, partition),
            cutAt(here.get(FoldSource.MESH), partition));
      }
      sum.add(shard);
    }
    told.clear();
    return sum.verdict(heard(there), heard());
  }

  /**
   * Finds where the origin's log has the cells of a difference, and the first one behind them: all
   * of its partition, as far as nobody has told.
   */
  public Stretch stretchThere(Difference difference) {
    var shard = shards.get(difference.cells());
    return shard == null ? Stretch.WHOLE : shard.stretchThere(Bucket.numberOf(difference.first()));
  }

  /** Finds where the log here has what stands around the cells of a difference. */
  public Stretch stretchHere(Difference difference) {
    var shard = shards.get(difference.cells());
    return shard == null ? Stretch.WHOLE : shard.stretchHere(Bucket.numberOf(difference.first()));
  }

  private OriginShard cells(ProofStart start) {
    return new OriginShard(origin, OriginShard.FIRST_GENERATION, start.shard());
  }

  private ShardAgreement of(BucketKey key) {
    return of(key.cells());
  }

  private ShardAgreement of(OriginShard cells) {
    told.add(cells);
    return shards.computeIfAbsent(cells, ShardAgreement::new);
  }

  /** Whether nothing of the origin's log had expired before it was folded. */
  private boolean isWhole(int partition) {
    var place = there.get(partition);
    return place != null && place.whole();
  }

  /** When cells of a partition had expired last before they were folded; 0 if they never had. */
  private static long cutAt(Map<Integer, FoldPlace> places, int partition) {
    var place = places.get(partition);
    return place == null ? 0 : place.cutAt();
  }

  /** When the origin's log had told of all that it held; 0 if it never did. */
  private long restedAt(int partition) {
    var place = there.get(partition);
    return place == null || place.next() < place.end() ? 0 : place.at();
  }

  private OptionalLong heard() {
    var log = heard(here.get(FoldSource.LOG));
    var mesh = heard(here.get(FoldSource.MESH));
    return log.isPresent() && mesh.isPresent()
        ? OptionalLong.of(Math.min(log.getAsLong(), mesh.getAsLong()))
        : OptionalLong.empty();
  }

  /** Since when the partition has been silent of which was heard longest ago. */
  private OptionalLong heard(Map<Integer, FoldPlace> places) {
    return places.size() < partitions
        ? OptionalLong.empty()
        : places.values().stream().mapToLong(FoldPlace::at).min();
  }

  private static Bucket bucket(BucketKey key, byte[] value) {
    return value == null ? null : BucketCodec.read(key, value).orElse(null);
  }
}
