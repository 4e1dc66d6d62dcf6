package io.cellmesh.operations.verify;

import io.cellmesh.cell.LogRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariant 2, on the way in: for each topic and shard, cells stand in the entity table in the
 * order in which they were first produced. For one partition of one data centre.
 */
final class ProducedOrderCheck {
  static final String CELLS = "cells";

  private final Tally tally;
  private final Map<String, LogRecord> last = new HashMap<>();

  ProducedOrderCheck(Tally tally) {
    this.tally = tally;
  }

  static Tally tally(String datacenter) {
    return new Tally(Check.PRODUCED, datacenter, CELLS);
  }

  /** Takes in the next row that a record of the topic brought in. */
  void produced(String topic, LogRecord row) {
    tally.count(CELLS);
    var before = last.put(topic + "/" + row.shard(), row);
    if (before != null && before.addedId() >= row.addedId()) {
      tally.offence(
          row.cell().key(),
          "was produced into %s after %s, but stands before it in shard %d (added_id %d, %d)"
              .formatted(topic, before.cell().key(), row.shard(), row.addedId(), before.addedId()));
    }
  }
}
