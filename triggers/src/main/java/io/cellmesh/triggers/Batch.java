package io.cellmesh.triggers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Cells that are handed to a callback together; one, where it takes single cells. */
final class Batch {
  final PartitionProgress partition;
  final List<Delivery> cells;
  private final List<Note> notes;
  private boolean ended;

  private Batch(PartitionProgress partition, List<Delivery> cells, List<Note> notes) {
    this.partition = partition;
    this.cells = cells;
    this.notes = notes;
  }

  /** Begins with cells; a retry is noted, and whatever begins before a first commit. */
  static Batch of(PartitionProgress partition, List<Delivery> cells, Instant now) {
    boolean noted = partition.isCautious() || cells.get(0).isRetried();
    return new Batch(partition, cells, noted ? notes(partition, cells, now) : List.of());
  }

  /** A row has room for one note. */
  private static List<Note> notes(PartitionProgress partition, List<Delivery> cells, Instant now) {
    var rows = new HashSet<UUID>();
    var notes = new ArrayList<Note>();
    for (var cell : cells) {
      if (rows.add(cell.row)) {
        notes.add(new Note(partition.at, cell.row, Optional.of(cell.note(now))));
      }
    }
    return notes;
  }

  /** What must be in the state topic before the callback begins. */
  List<Note> notes() {
    return notes;
  }

  /**
   * What a failure says of single cells of this batch, by their offsets; empty if it names none, so
   * that it is of all.
   */
  Map<Long, Exception> named(Exception failure) {
    if (!(failure instanceof BatchFailedException partly)) {
      return Map.of();
    }
    var named = new HashMap<Long, Exception>();
    partly
        .failures()
        .forEach(
            (cell, its) -> {
              if (cell.partition().equals(partition.at)) {
                named.put(cell.offset(), its);
              }
            });
    named.keySet().retainAll(cells.stream().map(cell -> cell.offset).collect(Collectors.toSet()));
    return named;
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
