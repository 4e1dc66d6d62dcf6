package io.cellmesh.triggers;

import java.util.List;

/** Cells that are handed to a callback together; one, where it takes single cells. */
final class Batch {
  final PartitionProgress partition;
  final List<Delivery> cells;
  final boolean probe;
  private final List<Note> notes;
  private boolean ended;

  Batch(PartitionProgress partition, List<Delivery> cells, boolean probe, List<Note> notes) {
    this.partition = partition;
    this.cells = cells;
    this.probe = probe;
    this.notes = notes;
  }

  /** What must be in the state topic before the callback begins. */
  List<Note> notes() {
    return notes;
  }

  /** Says whether the end counts: it is the first, and the partition is still owned. */
  boolean end() {
    if (ended) {
      throw new IllegalStateException("a batch ended twice, from offset " + cells.get(0).offset);
    }
    ended = true;
    return !partition.isClosed();
  }
}
