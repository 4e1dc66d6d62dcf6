package io.cellmesh.storage;

import io.cellmesh.storage.BufferListing.ListedCopy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How far the copies of one primary, topic and partition reach from its position, and what of them
 * it still lacks. Copies overlap, on one secondary or several; each cell is counted once.
 *
 * @param waitingCells not yet in the entity tables; where copies overlap in part a few too many
 * @param oldestMillis the longest that one of them waits; 0 if none does
 * @param gaps missing before and between the copies
 */
public record LaneReach(long waitingCells, long oldestMillis, List<OffsetGap> gaps) {

  /** Offsets from the first to before the last that no copy covers. */
  public record OffsetGap(long from, long to) {}

  /**
   * @param position next offset that is not in the entity tables
   */
  public static LaneReach of(List<ListedCopy> copies, long position) {
    var beyond =
        copies.stream()
            .filter(copy -> copy.next() > position)
            .sorted(Comparator.comparingLong(ListedCopy::previous))
            .toList();
    var gaps = new ArrayList<OffsetGap>();
    long cells = 0;
    long oldest = 0;
    long covered = position;
    int at = 0;
    while (at < beyond.size()) {
      ListedCopy farthest = null;
      for (; at < beyond.size() && beyond.get(at).previous() <= covered; at++) {
        var copy = beyond.get(at);
        farthest = farthest == null || copy.next() > farthest.next() ? copy : farthest;
      }
      if (farthest == null) {
        long begin = beyond.get(at).previous();
        gaps.add(new OffsetGap(covered, begin));
        covered = begin;
      } else if (farthest.next() > covered) {
        covered = farthest.next();
        cells += farthest.cells();
        oldest = farthest.cells() == 0 ? oldest : Math.max(oldest, farthest.ageMillis());
      }
    }
    return new LaneReach(cells, oldest, gaps);
  }
}
