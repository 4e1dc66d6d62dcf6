package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.connect.sink.index.Intake.Placed;
import io.cellmesh.connect.sink.index.Progress.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one cluster gets of the records of a poll: one transaction. */
final class Batch {
  private final Map<Integer, Map<Integer, List<IndexEntry>>> indexes = new TreeMap<>();
  private final Map<Progress, Span> spans = new LinkedHashMap<>();
  private int size;
  private long oldest = Long.MAX_VALUE;

  /**
   * Adds an entry.
   *
   * @param timestamp of its record, in milliseconds; null if it has none
   */
  void add(Progress progress, Span span, Placed placed, Long timestamp) {
    spans.put(progress, span);
    indexes
        .computeIfAbsent(placed.index(), index -> new TreeMap<>())
        .computeIfAbsent(placed.shard(), shard -> new ArrayList<>())
        .add(placed.entry());
    size++;
    if (timestamp != null) {
      oldest = Math.min(oldest, timestamp);
    }
  }

  /** Entries by index and shard, in the order of their offsets. */
  Map<Integer, Map<Integer, List<IndexEntry>>> indexes() {
    return indexes;
  }

  int size() {
    return size;
  }

  /** The time of the oldest record, in milliseconds; {@link Long#MAX_VALUE} if none has one. */
  long oldest() {
    return oldest;
  }

  /** Notes that all of it is in the cluster's tables. */
  void written(String cluster) {
    spans.forEach((progress, span) -> progress.wrote(cluster, span));
  }
}
