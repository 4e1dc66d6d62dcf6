package io.cellmesh.cell.proof;

import io.cellmesh.cell.Origin;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Folds a partition of a topic, record after record: the state of each origin and shard in it,
 * which is two buckets. The same records in the same order give the same buckets, wherever folding
 * was interrupted and resumed. For one thread.
 */
public final class PartitionFold {
  private final FoldSource source;
  private boolean whole;
  private long cutAt;
  private long cutTo;
  private final Map<OriginShard, ShardFold> shards = new HashMap<>();
  private final Map<BucketKey, Bucket> changed = new LinkedHashMap<>();

  /**
   * @param whole whether the first record that the partition ever had is folded; else each shard is
   *     folded from the first cell that is met
   */
  public PartitionFold(FoldSource source, boolean whole) {
    this.source = source;
    this.whole = whole;
  }

  /**
   * Leaves out what has expired: from now on each shard is folded anew, from the first cell that is
   * met.
   *
   * @param to the offset of the first record that is left
   * @param now in milliseconds since 1970
   */
  public void cut(long to, long now) {
    whole = false;
    cutAt = now;
    cutTo = to;
    shards.clear();
  }

  /**
   * Takes up the place that was stored, after all buckets. Of a shard that was last met before
   * records expired cells may be gone: it is folded anew, as it would have been without a restart.
   */
  public void resume(FoldPlace place) {
    whole = place.whole();
    cutAt = place.cutAt();
    cutTo = place.cutTo();
    shards.values().removeIf(shard -> shard.lastOffset() < cutTo);
  }

  /** Whether the first record that the partition ever had is folded. */
  public boolean whole() {
    return whole;
  }

  /** When records had expired last before they were folded; 0 if none ever had. */
  public long cutAt() {
    return cutAt;
  }

  /**
   * The offset behind the last record that had expired before it was folded; 0 if none ever had.
   */
  public long cutTo() {
    return cutTo;
  }

  /** Takes up a bucket that was stored; all of them, in the order of their writing. */
  public void resume(BucketKey key, Bucket bucket) {
    shards.computeIfAbsent(key.cells(), cells -> fold(cells, bucket.from())).resume(bucket);
  }

  /**
   * Takes in the next cell.
   *
   * @param digest of the cell, as {@link io.cellmesh.cell.CellDigest} makes it
   * @param offset of its record
   * @param time of its record, in milliseconds since 1970
   */
  public void fold(Origin origin, int shard, long digest, long offset, long time) {
    var cells = new OriginShard(origin.datacenter(), OriginShard.FIRST_GENERATION, shard);
    shards
        .computeIfAbsent(cells, c -> fold(c, whole ? 0 : origin.id()))
        .fold(origin.id(), digest, offset, time);
  }

  /** What has changed since the last call, to be stored. */
  public Map<BucketKey, Bucket> takeChanged() {
    var taken = new LinkedHashMap<>(changed);
    changed.clear();
    return taken;
  }

  /** How many buckets have changed since they were taken. */
  public int changes() {
    return changed.size();
  }

  private ShardFold fold(OriginShard cells, long from) {
    return new ShardFold(
        from, bucket -> changed.put(new BucketKey(source, cells, bucket.number()), bucket));
  }
}
