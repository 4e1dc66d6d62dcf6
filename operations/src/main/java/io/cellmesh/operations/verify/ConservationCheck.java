package io.cellmesh.operations.verify;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Shards;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Invariant 4, both ways: every record became an entity row, a duplicate of one, or was rejected;
 * and every entity row came from a record. For one partition of one data centre.
 */
final class ConservationCheck {
  static final String RECORDS = "records";
  static final String CELLS = "cells";
  static final String DUPLICATES = "duplicates";
  static final String CONFLICTS = "conflicts";
  static final String REJECTED = "rejected";

  /** Decided by the master, and not in the topic of the rejected, yet or any more. */
  static final String IN_LEDGER = "conflicts in the ledger only";

  static final String UNTOLD = "conflicts not yet told";
  static final String REPEATS = "told again";

  private final Tally tally;
  private final String datacenter;
  private final Shards shards;
  private final Entities entities;
  private final Rejections rejections;
  private final Predicate<Ingested> ledger;
  private final Set<CellKey> unexplained;
  private final Map<Boolean, Instant> firstByForeign = new HashMap<>();

  /**
   * @param ledger whether a master has decided that a record's cell is a conflict
   */
  ConservationCheck(
      Tally tally,
      String datacenter,
      Shards shards,
      Entities entities,
      Rejections rejections,
      Predicate<Ingested> ledger) {
    this.tally = tally;
    this.datacenter = datacenter;
    this.shards = shards;
    this.entities = entities;
    this.rejections = rejections;
    this.ledger = ledger;
    this.unexplained = new HashSet<>(entities.keys());
  }

  static Tally tally(String datacenter) {
    return new Tally(
        Check.CONSERVATION,
        datacenter,
        RECORDS,
        CELLS,
        DUPLICATES,
        CONFLICTS,
        UNTOLD,
        REJECTED,
        REPEATS);
  }

  /**
   * Takes in the next record of a topic.
   *
   * @return the entity row that this record brought in; empty for any other record
   */
  Optional<LogRecord> record(Ingested record) {
    tally.count(RECORDS);
    if (record.cell().isEmpty()) {
      rejected(record, REJECTED, "is no cell, and is not in the topic of rejected records");
      return Optional.empty();
    }
    var cell = record.cell().get();
    firstByForeign.putIfAbsent(cell.origin().isPresent(), record.producedAt());
    var row = entities.get(cell.key());
    if (row == null) {
      rejected(record, REJECTED, "is neither an entity row nor rejected");
    } else if (!Bodies.same(row.cell().body(), cell.body())) {
      conflict(record);
    } else if (rejections.same(record)) {
      tally.offence(record.name(), "is stored, and yet in the topic of rejected records");
      return stored(cell, row);
    } else {
      return stored(cell, row);
    }
    return Optional.empty();
  }

  private Optional<LogRecord> stored(Cell cell, LogRecord row) {
    if (explains(cell, row) && unexplained.remove(cell.key())) {
      tally.count(CELLS);
      return Optional.of(row);
    }
    tally.count(DUPLICATES);
    return Optional.empty();
  }

  /**
   * To be called after the last record.
   *
   * @param complete whether the topics still have their first record; if not, rows may be older
   */
  void finish(boolean complete) {
    for (var row : entities.rows()) {
      int shard = shards.of(row.cell().key().rowKey());
      if (row.shard() != shard) {
        tally.offence(
            row.cell().key(),
            "stands in shard %d, but belongs into shard %d".formatted(row.shard(), shard));
      }
    }
    for (var row : entities.rows()) {
      if (!unexplained.contains(row.cell().key())) {
        continue;
      }
      if (!complete || isOlderThanItsTopic(row)) {
        tally.count("cells older than the topics");
      } else {
        tally.offence(
            row.cell().key(),
            "the entity row (shard %d, added_id %d, origin %s) comes from no record"
                .formatted(row.shard(), row.addedId(), Entities.originOf(row)));
      }
    }
  }

  /** A topic that was recreated begins at its first offset, and yet there were cells before. */
  private boolean isOlderThanItsTopic(LogRecord row) {
    var first = firstByForeign.get(!Entities.originOf(row).equals(datacenter));
    return first != null && row.createdAt().isBefore(first);
  }

  private void conflict(Ingested record) {
    if (!rejections.contains(record) && ledger.test(record)) {
      tally.count(CONFLICTS);
      tally.count(IN_LEDGER);
    } else {
      rejected(
          record, CONFLICTS, "the entity row has another body, and the record is not rejected");
    }
  }

  private void rejected(Ingested record, String kind, String otherwise) {
    if (rejections.contains(record)) {
      tally.count(kind);
    } else {
      tally.offence(record.name(), otherwise);
    }
  }

  /**
   * A cell that several data centres accepted came from one topic and is a duplicate in another.
   */
  private boolean explains(Cell cell, LogRecord row) {
    return cell.origin().isPresent()
        ? cell.origin().equals(row.cell().origin())
        : Entities.originOf(row).equals(datacenter);
  }
}
