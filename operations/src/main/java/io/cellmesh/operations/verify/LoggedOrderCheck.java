package io.cellmesh.operations.verify;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Invariant 2, on the way out: per shard the log, without its repetitions, is the entity table in
 * added_id order, field by field. For one partition of one data centre.
 */
final class LoggedOrderCheck {
  static final String RECORDS = "records";
  static final String CELLS = "cells";
  static final String REPEATED = "repeated";

  private final Tally tally;
  private final Entities entities;
  private final Set<CellKey> seen = new HashSet<>();
  private final Map<Integer, LogRecord> first = new HashMap<>();
  private final Map<Integer, LogRecord> last = new HashMap<>();
  private final Map<Integer, LogRecord> lastRestored = new HashMap<>();

  /** Whether the log still has its first record; if not, rows before the first one are exempt. */
  private final boolean complete;

  LoggedOrderCheck(Tally tally, Entities entities, boolean complete) {
    this.tally = tally;
    this.entities = entities;
    this.complete = complete;
  }

  static Tally tally(String datacenter) {
    return new Tally(Check.LOGGED, datacenter, RECORDS, CELLS, REPEATED);
  }

  /** Takes in the next record of the log. */
  void record(LogRecord record) {
    tally.count(RECORDS);
    var key = record.cell().key();
    var row = entities.get(key);
    if (row == null) {
      tally.offence(key, "is in the log and not in the entity table");
      return;
    }
    compare(record, row);
    if (!seen.add(key)) {
      tally.count(REPEATED);
      return;
    }
    tally.count(CELLS);
    first.putIfAbsent(row.shard(), row);
    var before = (isRestored(row) ? lastRestored : last).put(row.shard(), row);
    if (before != null && before.addedId() >= row.addedId()) {
      tally.offence(
          key,
          "comes after %s in the log, but stands before it in shard %d (added_id %d, %d)"
              .formatted(before.cell().key(), row.shard(), row.addedId(), before.addedId()));
    }
  }

  /** Takes in a record that is no cell with its place. */
  void unreadable(String place, String reason) {
    tally.count(RECORDS);
    tally.offence(place, "can't be read: " + reason);
  }

  /** To be called after the last record. */
  void finish() {
    for (var row : entities.rows()) {
      if (!seen.contains(row.cell().key())) {
        var retained = first.get(row.shard());
        if (!complete && (retained == null || row.addedId() < retained.addedId())) {
          tally.count("cells older than the log");
        } else {
          tally.offence(
              row.cell().key(),
              "the entity row (shard %d, added_id %d) is not in the log"
                  .formatted(row.shard(), row.addedId()));
        }
      }
    }
  }

  /** A rebuild brings back what retention took, behind what it left. */
  private boolean isRestored(LogRecord row) {
    return !complete && row.addedId() < first.get(row.shard()).addedId();
  }

  private void compare(LogRecord logged, LogRecord row) {
    var key = row.cell().key();
    if (logged.shard() != row.shard() || logged.addedId() != row.addedId()) {
      tally.offence(
          key,
          "the log has it at shard %d, added_id %d, the entity table at shard %d, added_id %d"
              .formatted(logged.shard(), logged.addedId(), row.shard(), row.addedId()));
    }
    if (!Bodies.same(logged.cell().body(), row.cell().body())) {
      tally.offence(key, "the log has another body than the entity row");
    }
    if (!logged.cell().origin().equals(row.cell().origin())) {
      tally.offence(key, "the log has another origin than the entity row");
    }
    if (!logged.createdAt().equals(row.createdAt())) {
      tally.offence(key, "the log has another created_at than the entity row");
    }
  }
}
