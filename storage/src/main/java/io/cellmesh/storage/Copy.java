package io.cellmesh.storage;

import java.util.List;

/**
 * What the buffer of a secondary holds of one primary: all its cells of one topic's partition with
 * {@code previous <= offset < next()}. It claims completeness for that range, so that copies whose
 * ranges join or overlap prove that nothing is missing between them.
 *
 * @param primary the cluster that owns the cells
 * @param previous where the copy before it ended
 * @param end the mark after the last record that the writer had seen
 * @param cells in offset order; empty if the primary had none there
 */
public record Copy(
    String primary,
    IngestTopic topic,
    int partition,
    long previous,
    Mark end,
    List<OffsetCell> cells) {
  public Copy {
    cells = List.copyOf(cells);
    if (previous > end.next()) {
      throw new IllegalArgumentException("a copy cannot end before it begins");
    }
  }

  /** The offset after the last record that it covers. */
  public long next() {
    return end.next();
  }
}
