package io.cellmesh.herb;

import java.util.HashMap;
import java.util.Map;

/**
 * Watches that the origin_ids of each shard rise. A step back is no loss: a peer whose source or
 * whose link started again says some cells twice. It is noted, because anything else would be a
 * broken order.
 */
final class OrderCheck {
  private final Map<Integer, Long> last = new HashMap<>();

  /** Takes note of a cell, and says whether it stands behind one with a higher or the same id. */
  boolean stepsBack(int shard, long originId) {
    var before = last.get(shard);
    if (before != null && originId <= before) {
      return true;
    }
    last.put(shard, originId);
    return false;
  }

  /** The highest origin_id of a shard so far; null before the first. */
  Long highest(int shard) {
    return last.get(shard);
  }
}
