package io.cellmesh.triggers;

/**
 * How far a shard is. What was read runs ahead of what is finished; where nothing of the shard is
 * unfinished they are the same.
 */
final class ShardProgress {
  final int shard;
  final Lane lane;

  /** The ids that were read, as far as the shard's records are not dropped. */
  final MetIds read;

  /**
   * In order by shard: the ids that are finished, all of them. In order by row: those that were
   * when nothing was unfinished for the last time.
   */
  final MetIds finished;

  int unfinished;

  /** When a cell of it was finished for the last time, in finished cells of the partition. */
  long recency;

  /** The offset of the first record that is dropped, if one is. */
  long next;

  boolean dropping;

  /** Whether records that were dropped are being read again. */
  boolean resuming;

  ShardProgress(int shard, PartitionProgress partition, MetIds finished) {
    this.shard = shard;
    this.lane = new Lane(partition, this);
    this.finished = finished;
    this.read = finished.copy();
  }

  /** Takes what was read to be finished, if nothing of it is unfinished. */
  void settle() {
    if (unfinished == 0 && !dropping) {
      read.join();
      finished.set(read);
    }
  }

  /** Says that its records from an offset on are not in memory. */
  void drop(long offset) {
    next = dropping ? Math.min(next, offset) : offset;
    dropping = true;
    resuming = false;
  }

  /** Takes what was read to be what is finished and what is in memory, which was cut. */
  void readAgain() {
    read.set(finished);
    for (var cell = lane.head(); cell != null; cell = cell.behind) {
      read.add(cell.addedId, cell.rebuilt);
    }
  }
}
