package io.cellmesh.cell.proof;

import java.util.function.Consumer;

/**
 * Folds the cells of one origin in one shard, in the order of a topic.
 *
 * <p>It holds the bucket of the highest origin_id and the one before. An id below that is not in
 * their reach counts as a repeat. Nothing is hidden by that: a cell that came for the first time so
 * late is missing from its bucket.
 */
final class ShardFold {
  private long from;
  private final Consumer<Bucket> changed;
  private Bucket open;
  private Bucket before;

  /**
   * @param from the first origin_id that is folded; 0 if all are
   * @param changed is told of every bucket that has changed
   */
  ShardFold(long from, Consumer<Bucket> changed) {
    this.from = from;
    this.changed = changed;
  }

  /** Takes in what was stored before, in the order of its writing. */
  void resume(Bucket stored) {
    // The one that was begun last knows of what had expired before it.
    from = Math.max(from, stored.from());
    if (open == null || stored.number() >= open.number()) {
      before = open == null || stored.number() == open.number() ? before : open;
      open = stored;
    } else if (before == null || stored.number() >= before.number()) {
      before = stored;
    }
  }

  /** The offset of the last cell that is known of it. */
  long lastOffset() {
    return open.lastOffset();
  }

  void fold(long originId, long digest, long offset, long time) {
    if (open == null || originId > open.last()) {
      advance(originId, offset);
      open.add(originId, digest, offset, time);
      changed.accept(open);
      return;
    }
    var bucket = reached(originId, offset);
    if (bucket == null || bucket.has(originId)) {
      open.repeat();
      changed.accept(open);
    } else {
      bucket.addLate(originId, digest, offset, time);
      changed.accept(bucket);
    }
  }

  private void advance(long originId, long offset) {
    long number = Bucket.numberOf(originId);
    if (open == null) {
      open = new Bucket(number, from, offset);
    } else if (number != open.number()) {
      open.finish();
      changed.accept(open);
      before = open;
      open = new Bucket(number, from, offset);
    }
  }

  /** The bucket that a late cell belongs into; null if it can't be told whether it has it. */
  private Bucket reached(long originId, long offset) {
    long number = Bucket.numberOf(originId);
    if (originId < from) {
      return null;
    }
    if (number == open.number()) {
      return open;
    }
    if (before == null ? from == 0 : number > before.number()) {
      // No cell of it has ever come.
      before = new Bucket(number, from, offset);
      before.finish();
    }
    return before != null && before.number() == number ? before : null;
  }
}
