package io.cellmesh.operations.verify;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.storage.ConflictListing.Entry;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Invariants 3 and 9, for one direction: a data centre has every cell that another one wrote first,
 * with an equal body and in the same order per shard. One that it has from elsewhere, since several
 * accepted it, is exempt from the order and not from the body: it is equal, or the ledger here has
 * the conflict with both digests. For one partition.
 *
 * <p>Bodies are compared as they are stored, and as JSON only where that differs; the ledger is
 * asked only about cells that differ.
 */
final class MeshCheck {
  static final String CELLS = "cells with equal bodies";
  static final String EQUAL = "accepted by several with equal bodies";
  static final String CONFLICTS = "in conflict, in the ledger with both digests";

  private final Tally tally;
  private final String origin;
  private final LedgerOfCells ledger;

  /** Rows of the origin that differ from those here which were accepted first. */
  private final Map<CellKey, LogRecord> refused = new LinkedHashMap<>();

  /** What a data centre's ledger has about cells. */
  interface LedgerOfCells {
    /** The decisions by cell; those without any are not in it. */
    Map<CellKey, List<Entry>> about(Collection<CellKey> keys) throws SQLException;
  }

  /**
   * @param origin the data centre whose cells are looked for
   * @param ledger of the data centre that must have them
   */
  MeshCheck(Tally tally, String origin, LedgerOfCells ledger) {
    this.tally = tally;
    this.origin = origin;
    this.ledger = ledger;
  }

  static Tally tally(String origin, String datacenter) {
    return new Tally(Check.MESH, origin + "→" + datacenter, CELLS, EQUAL, CONFLICTS);
  }

  /**
   * Compares one partition; to be called once.
   *
   * @param there the rows of the origin
   * @param here the rows of the data centre that must have them
   */
  void compare(Entities there, Entities here) throws SQLException {
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
    if (!refused.isEmpty()) {
      var decisions = ledger.about(refused.keySet());
      refused.forEach(
          (key, row) -> conflict(row, here.get(key), decisions.getOrDefault(key, List.of())));
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
      if (Bodies.same(copy.cell().body(), row.cell().body())) {
        tally.count(EQUAL);
      } else {
        refused.put(key, row);
      }
      return before;
    }
    if (Bodies.same(copy.cell().body(), row.cell().body())) {
      tally.count(CELLS);
    } else {
      tally.offence(key, "has another body here: " + digests(row, copy));
    }
    // Its added_id there, unless the origin had lost it and got it back.
    long id = row.cell().origin().orElseThrow().id();
    if (copy.cell().origin().orElseThrow().id() != id) {
      tally.offence(
          key,
          "has the origin_id %d here, and %d there"
              .formatted(copy.cell().origin().orElseThrow().id(), id));
    }
    if (before != null && before.addedId() >= copy.addedId()) {
      tally.offence(
          key,
          "stands before %s here (added_id %d, %d), but after it there"
              .formatted(before.cell().key(), copy.addedId(), before.addedId()));
    }
    return copy;
  }

  private void conflict(LogRecord row, LogRecord copy, List<Entry> decisions) {
    var refusedDigest = Bodies.digest(row.cell().body());
    var keptDigest = Bodies.digest(copy.cell().body());
    if (decisions.stream()
        .anyMatch(
            decision ->
                decision.refused().equals(refusedDigest)
                    && decision.kept().equals(keptDigest)
                    && decision.refusedOrigin().equals(origin))) {
      tally.count(CONFLICTS);
    } else {
      tally.offence(
          row.cell().key(),
          "has another body here, which came first, and the ledger here has no conflict of the two:"
              + " "
              + digests(row, copy));
    }
  }

  private static String digests(LogRecord row, LogRecord copy) {
    return "sha256:%s there, sha256:%s here"
        .formatted(Bodies.digest(row.cell().body()), Bodies.digest(copy.cell().body()));
  }

  private boolean isOwn(LogRecord row) {
    return row != null && Entities.originOf(row).equals(origin);
  }
}
