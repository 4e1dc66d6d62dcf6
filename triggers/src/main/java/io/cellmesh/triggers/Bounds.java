package io.cellmesh.triggers;

/**
 * Limits what one process holds in memory of cells that are not finished.
 *
 * @param cells at most so many
 * @param bytes at most so many bytes of them, unless a single cell has more
 * @param keep so many cells are kept behind one of their shard that is tried again
 */
record Bounds(int cells, long bytes, int keep) {
  Bounds {
    positive("cells", cells);
    positive("bytes", bytes);
    if (keep < 0) {
      throw new IllegalArgumentException("keep: " + keep + ", must not be negative");
    }
  }

  /** Says whether a cell still finds room beside what is held. */
  boolean hasRoom(int heldCells, long heldBytes, int size) {
    return heldCells == 0 || (heldCells < cells && heldBytes + size <= bytes);
  }

  /**
   * Says whether to read on: a quarter stays for what a poll brings, and each of the partitions has
   * the same part of the rest.
   */
  boolean wantsMore(int heldCells, long heldBytes, int ofPartition, int partitions) {
    int most = cells - cells / 4;
    return heldCells < most
        && heldBytes < bytes - bytes / 4
        && ofPartition < Math.max(1, most / Math.max(1, partitions));
  }

  private static void positive(String field, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(field + ": " + value + ", must be positive");
    }
  }
}
