package io.cellmesh.operations.verify;

import io.cellmesh.cell.LogRecord;

/**
 * Invariant 9, for one direction: a data centre has every cell that another one wrote first, with
 * the same body and in the same order per shard. A cell that both accepted from their own producers
 * is exempt. For one partition.
 */
final class MeshCheck {
  static final String CELLS = "cells";
  static final String EXEMPT = "accepted by several";

  private final Tally tally;
  private final String origin;

  /**
   * @param origin the data centre whose cells are looked for
   */
  MeshCheck(Tally tally, String origin) {
    this.tally = tally;
    this.origin = origin;
  }

  static Tally tally(String origin, String datacenter) {
    return new Tally(Check.MESH, origin + "→" + datacenter, CELLS, EXEMPT);
  }

  /**
   * @param there the rows of the origin
   * @param here the rows of the data centre that must have them
   */
  void compare(Entities there, Entities here) {
    for (int shard : there.shards()) {
      LogRecord before = null;
      for (var row : there.shard(shard)) {
        if (Entities.originOf(row).equals(origin)) {
          before = compare(row, here.get(row.cell().key()), before);
        }
      }
    }
    for (var row : here.rows()) {
      if (Entities.originOf(row).equals(origin) && !isOwn(there.get(row.cell().key()))) {
        tally.offence(
            row.cell().key(), "is here as first written in " + origin + ", which has no such cell");
      }
    }
  }

  /** Returns the row here that the next one must stand behind. */
  private LogRecord compare(LogRecord row, LogRecord copy, LogRecord before) {
    var key = row.cell().key();
    if (copy == null) {
      tally.offence(key, "is missing here");
      return before;
    }
    if (!Entities.originOf(copy).equals(origin)) {
      tally.count(EXEMPT);
      return before;
    }
    tally.count(CELLS);
    if (!Bodies.same(copy.cell().body(), row.cell().body())) {
      tally.offence(key, "has another body here");
    }
    if (copy.cell().origin().orElseThrow().id() != row.addedId()) {
      tally.offence(
          key,
          "has the origin_id %d here, but the added_id %d there"
              .formatted(copy.cell().origin().orElseThrow().id(), row.addedId()));
    }
    if (before != null && before.addedId() >= copy.addedId()) {
      tally.offence(
          key,
          "stands before %s here (added_id %d, %d), but after it there"
              .formatted(before.cell().key(), copy.addedId(), before.addedId()));
    }
    return copy;
  }

  private boolean isOwn(LogRecord row) {
    return row != null && Entities.originOf(row).equals(origin);
  }
}
