package io.cellmesh.storage;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTable.Kept;
import io.cellmesh.storage.EntityTable.Outcome;
import io.cellmesh.storage.EntityTransaction.Part;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides a batch cell by cell, as if each had been inserted alone, in offset order: a cell whose
 * key is free is stored; one that meets an equal body is a duplicate, another body makes it a
 * conflict, which goes into the ledger in the same transaction (invariants 3 and 11); one that has
 * a value which the database refuses is left out, and counts for nobody that follows it.
 *
 * <p>Costs two round trips: one looks which keys are there, one writes. The position's lock makes
 * what was looked up hold until the end, since who writes cells of the partition holds it.
 */
final class CellDecision {
  /** Beside the cells of a catch-up, as {@link Packet} counts them. */
  private static final long ROOM = 1 << 20;

  private final EntityTransaction transaction;
  private final EntityTable entities;
  private final Connection connection;
  private final StorageCluster primary;
  private final List<Write> writes;
  private final List<Part> parts;
  private final Refusals refusals;

  /** By identity: what is wrong with cells that the database refused. */
  private final Map<OffsetCell, InvalidCellException> misfits = new IdentityHashMap<>();

  /**
   * @param connection with a transaction open, maybe, which is rolled back
   */
  CellDecision(
      EntityTransaction transaction,
      Connection connection,
      StorageCluster primary,
      List<Write> writes,
      List<Part> parts,
      Refusals refusals) {
    this.transaction = transaction;
    this.entities = transaction.entities();
    this.connection = connection;
    this.primary = primary;
    this.writes = writes;
    this.parts = parts;
    this.refusals = refusals;
  }

  /** Writes what is to be written; the transaction is left open. */
  Result run() throws SQLException {
    while (true) {
      var kept = new HashMap<CellKey, Kept>();
      var moved = begin(kept);
      if (moved.isPresent()) {
        return moved.get();
      }
      var verdict = judge(kept);
      try {
        write(verdict);
        tell(verdict);
        return new Result.Applied(verdict.outcome(misfits.size()));
      } catch (SQLException e) {
        if (!MySqlErrors.isOfAValue(e)) {
          throw e;
        }
        if (begin(new HashMap<>()).isEmpty() && !findMisfits(verdict.fresh())) {
          throw e;
        }
      }
    }
  }

  /**
   * Begins anew, and looks which keys are there.
   *
   * @return empty if the positions are the expected ones
   */
  private Optional<Result> begin(Map<CellKey, Kept> kept) throws SQLException {
    var script = new Script().sql("ROLLBACK;");
    transaction.begin(script, primary, writes);
    for (var part : parts) {
      script.sql(";");
      entities.select(script, part.shard(), part.cells());
    }
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script.toString());
      statement.getMoreResults();
      statement.getMoreResults();
      var moved = transaction.moved(statement, primary, writes);
      for (int i = 0; i < parts.size() && moved.isEmpty(); i++) {
        statement.getMoreResults();
        try (var rows = statement.getResultSet()) {
          EntityTable.read(rows, kept);
        }
      }
      return moved;
    }
  }

  private Verdict judge(Map<CellKey, Kept> kept) {
    var verdict = new Verdict();
    for (var part : parts) {
      var fresh = new ArrayList<OffsetCell>();
      for (var cell : part.cells()) {
        if (misfits.containsKey(cell)) {
          continue;
        }
        var mine = entities.asKept(cell.cell());
        var first = kept.putIfAbsent(cell.cell().key(), mine);
        if (first == null) {
          fresh.add(cell);
        } else if (first.body().sameAs(cell.cell().body())) {
          verdict.duplicates++;
        } else {
          verdict.conflicts.add(new Conflict(cell, decision(part, cell, first, mine, verdict)));
        }
      }
      if (!fresh.isEmpty()) {
        verdict.fresh.add(part.with(fresh));
      }
    }
    return verdict;
  }

  private Decision decision(Part part, OffsetCell cell, Kept kept, Kept refused, Verdict verdict) {
    var record = refusals.record(part.topic(), part.partition(), cell, verdict.room);
    verdict.room = Math.max(0, verdict.room - record.map(RefusedRecord::bytes).orElse(0L));
    return new Decision(
        refusals.place(part.topic(), part.partition(), cell),
        part.topic(),
        cell.cell().key(),
        kept.body().digest(),
        refused.body().digest(),
        kept.origin(),
        refused.origin(),
        record);
  }

  private void write(Verdict verdict) throws SQLException {
    verdict.news = news(verdict.conflicts);
    var script = new Script();
    for (var part : verdict.fresh) {
      entities.insert(script, part.shard(), part.cells());
      script.sql(";");
    }
    if (!verdict.news.isEmpty()) {
      transaction.ledger().insert(script, verdict.news.stream().map(Conflict::decision).toList());
      script.sql(";");
    }
    script.sql("DO 0");
    transaction.advance(script, writes);
    script.execute(connection);
  }

  /** Those that the ledger does not have: a record that comes again is not told again. */
  private List<Conflict> news(List<Conflict> conflicts) throws SQLException {
    if (conflicts.isEmpty()) {
      return conflicts;
    }
    var places = conflicts.stream().map(conflict -> conflict.decision().place()).toList();
    var known = transaction.ledger().decided(connection, places);
    return conflicts.stream().filter(c -> !known.contains(c.decision().place())).toList();
  }

  private void tell(Verdict verdict) {
    verdict.news.forEach(conflict -> refusals.conflict(conflict.cell(), conflict.decision()));
    for (var part : parts) {
      for (var cell : part.cells()) {
        if (misfits.containsKey(cell)) {
          refusals.misfit(part.topic(), part.partition(), cell, misfits.get(cell));
        }
      }
    }
    refusals.await();
  }

  /** Tries ever smaller parts, whatever is written by that; says whether some were refused. */
  private boolean findMisfits(List<Part> fresh) throws SQLException {
    int before = misfits.size();
    for (var part : fresh) {
      findMisfits(part.shard(), part.cells());
    }
    return misfits.size() > before;
  }

  private void findMisfits(int shard, List<OffsetCell> cells) throws SQLException {
    try {
      var script = new Script();
      entities.insert(script, shard, cells);
      script.execute(connection);
    } catch (SQLException e) {
      if (!MySqlErrors.isOfAValue(e)) {
        throw e;
      }
      if (cells.size() == 1) {
        misfits.put(cells.get(0), MySqlErrors.misfit(e));
      } else {
        int half = cells.size() / 2;
        findMisfits(shard, cells.subList(0, half));
        findMisfits(shard, cells.subList(half, cells.size()));
      }
    }
  }

  private record Conflict(OffsetCell cell, Decision decision) {}

  /** What is to become of the cells. */
  private static final class Verdict {
    private final List<Part> fresh = new ArrayList<>();
    private final List<Conflict> conflicts = new ArrayList<>();
    private List<Conflict> news = List.of();
    private int duplicates;

    /** Bytes of records that did not come with the batch, and still go into the statement. */
    private long room = ROOM;

    List<Part> fresh() {
      return fresh;
    }

    Outcome outcome(int misfits) {
      return new Outcome(
          fresh.stream().mapToInt(part -> part.cells().size()).sum(),
          duplicates,
          conflicts.stream().map(Conflict::decision).toList(),
          misfits);
    }
  }
}
