package io.cellmesh.e2e.log;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;

/** A cell at its place in a shard. */
record Entry(long addedId, CellKey key) {
  static Entry of(LogRecord log) {
    return new Entry(log.addedId(), log.cell().key());
  }
}
