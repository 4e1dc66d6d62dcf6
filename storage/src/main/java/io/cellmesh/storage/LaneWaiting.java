package io.cellmesh.storage;

import io.cellmesh.storage.BufferListing.ListedCopy;
import java.util.TreeMap;

/**
 * Counts what waits in the copies of one primary, topic and partition, one copy after another in
 * any order. Copies overlap, on one secondary or several; each cell is counted once, but for a few
 * too many where copies overlap in part.
 *
 * <p>Remembers only the ranges that were covered so far, which join each other: at most {@value
 * #MOST_RANGES}, however many copies there are. Not thread-safe.
 */
public final class LaneWaiting {
  private static final int MOST_RANGES = 10_000;

  private final long position;

  /** Ends of disjoint ranges by their beginnings. */
  private final TreeMap<Long, Long> covered = new TreeMap<>();

  private long cells;
  private long oldestMillis;

  /**
   * @param position next offset that is not in the entity tables
   */
  public LaneWaiting(long position) {
    this.position = position;
  }

  public void add(ListedCopy copy) {
    long from = Math.max(copy.previous(), position);
    long to = copy.next();
    var before = covered.floorEntry(from);
    if (to <= position || (before != null && before.getValue() >= to)) {
      return;
    }
    cells += copy.cells();
    if (copy.cells() > 0) {
      oldestMillis = Math.max(oldestMillis, copy.ageMillis());
    }
    cover(from, to);
    if (covered.size() > MOST_RANGES) {
      // The gap between the first two counts as covered.
      long first = covered.pollFirstEntry().getKey();
      covered.put(first, covered.pollFirstEntry().getValue());
    }
  }

  /** Cells that are not yet in the entity tables. */
  public long cells() {
    return cells;
  }

  /** The longest that one of them waits; 0 if none does. */
  public long oldestMillis() {
    return oldestMillis;
  }

  private void cover(long from, long to) {
    long first = from;
    long last = to;
    var joined = covered.floorEntry(to);
    while (joined != null && joined.getValue() >= first) {
      first = Math.min(first, joined.getKey());
      last = Math.max(last, joined.getValue());
      covered.remove(joined.getKey());
      joined = covered.floorEntry(last);
    }
    covered.put(first, last);
  }
}
