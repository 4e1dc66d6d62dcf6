package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTable.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The transaction that brings cells to a primary: lock the positions, compare them with what the
 * writer remembers, insert the cells in offset order, advance the positions (invariant 2). All of
 * it is one round trip; only then does the writer look whether the positions were the expected
 * ones, and rolls back if not.
 *
 * <p>If a key is there already, or the database refuses a value, that attempt is undone and the
 * batch is decided cell by cell ({@link CellDecision}), under the same locks, so that the outcome
 * is the same whoever repeats it. So no right to update a cell is needed (invariant 3).
 *
 * <p>The epoch is read under a shared lock, so that who raises it waits for this transaction and
 * the next one sees it (invariant 10).
 */
public final class EntityTransaction {
  private final EntityTable entities;
  private final ConflictTable ledger;
  private final String positionTable;
  private final String epochTable;

  public EntityTransaction(Topology topology) {
    this.entities = new EntityTable(topology);
    this.ledger = new ConflictTable(topology);
    this.positionTable = PositionTable.name(topology);
    this.epochTable = Names.metaDatabase(topology.instance()) + ".epoch";
  }

  /**
   * What one partition number wants written.
   *
   * @param expected the position that the writer remembers
   * @param next the position after it
   * @param cells by topic, in offset order
   */
  public record Write(
      int partition, Position expected, Position next, Map<IngestTopic, List<OffsetCell>> cells) {}

  /** How a transaction ended. */
  public sealed interface Result {
    /** It is committed. */
    record Applied(Outcome outcome) implements Result {}

    /** Nothing was written: some positions are not what the writer remembers. */
    record Moved(Map<Integer, Position> found) implements Result {}
  }

  /**
   * Runs the transaction; on any exception it is rolled back.
   *
   * @param connection in auto-commit mode, with multi-statements allowed
   * @param refusals asked for what the ledger keeps of a refused cell, and told of it before the
   *     commit
   * @param beforeCommit called when everything is written; what it throws rolls back
   * @throws StaleEpochException if the database knows another epoch of the cluster
   */
  public Result run(
      Connection connection,
      StorageCluster primary,
      List<Write> writes,
      Refusals refusals,
      Runnable beforeCommit)
      throws SQLException {
    try {
      var parts = parts(writes);
      var written = writeAll(connection, primary, writes, parts);
      var result =
          written.isPresent()
              ? written.get()
              : new CellDecision(this, connection, primary, writes, parts, refusals).run();
      if (result instanceof Result.Applied) {
        beforeCommit.run();
        execute(connection, "COMMIT");
      } else {
        execute(connection, "ROLLBACK");
      }
      return result;
    } catch (SQLException | RuntimeException e) {
      Script.rollback(connection, e);
      throw e;
    }
  }

  EntityTable entities() {
    return entities;
  }

  ConflictTable ledger() {
    return ledger;
  }

  /** Adds the statements that begin the transaction and lock the positions. */
  void begin(Script script, StorageCluster primary, List<Write> writes) {
    // The statement rather than the driver's switch, which would cost two round trips.
    script
        .sql("START TRANSACTION;")
        .sql("SELECT " + PositionTable.COLUMNS + ", e.epoch FROM " + positionTable)
        .sql(" p JOIN " + epochTable + " e ON e.cluster = ")
        .text(primary.name())
        .sql(" WHERE p.partition_no IN (");
    for (var write : writes) {
      script.number(write.partition()).sql(",");
    }
    script.sql("-1) ORDER BY p.partition_no FOR UPDATE OF p FOR SHARE OF e");
  }

  /**
   * Compares the positions that a statement has just read.
   *
   * @return empty if they are what the writer remembers
   * @throws StaleEpochException if the database knows another epoch
   */
  Optional<Result> moved(Statement statement, StorageCluster primary, List<Write> writes)
      throws SQLException {
    var found = positions(statement, primary);
    return writes.stream().anyMatch(w -> !w.expected().equals(found.get(w.partition())))
        ? Optional.of(new Result.Moved(found))
        : Optional.empty();
  }

  /** Adds the statement that advances the positions. */
  void advance(Script script, List<Write> writes) {
    script.sql(";INSERT INTO " + positionTable + " (" + PositionTable.COLUMNS + ") VALUES ");
    var separator = "";
    for (var write : writes) {
      var next = write.next();
      script.sql(separator).sql("(").number(write.partition());
      for (var mark : List.of(next.cells(), next.mesh())) {
        script.sql(",").number(mark.next()).sql(",").number(mark.digest());
      }
      script.sql(")");
      separator = ",";
    }
    script
        .sql(" AS new ON DUPLICATE KEY UPDATE cells_next = new.cells_next,")
        .sql(" cells_digest = new.cells_digest, mesh_next = new.mesh_next,")
        .sql(" mesh_digest = new.mesh_digest");
  }

  /**
   * Writes a batch of cells that are all new and good.
   *
   * @return empty if one of them is not: some of it is written then, and the transaction is open
   */
  private Optional<Result> writeAll(
      Connection connection, StorageCluster primary, List<Write> writes, List<Part> parts)
      throws SQLException {
    var script = new Script();
    begin(script, primary, writes);
    int stored = 0;
    for (var part : parts) {
      script.sql(";");
      entities.insert(script, part.shard(), part.cells());
      stored += part.cells().size();
    }
    advance(script, writes);
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script.toString());
      statement.getMoreResults();
      var moved = moved(statement, primary, writes);
      return moved.isPresent()
          ? moved
          : Optional.of(new Result.Applied(new Outcome(stored, 0, List.of(), 0)));
    } catch (SQLException e) {
      if (MySqlErrors.isDuplicate(e) || MySqlErrors.isOfAValue(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The cells of one topic and shard, in offset order. */
  record Part(IngestTopic topic, int partition, int shard, List<OffsetCell> cells) {
    Part with(List<OffsetCell> some) {
      return new Part(topic, partition, shard, some);
    }
  }

  private static List<Part> parts(List<Write> writes) {
    var parts = new ArrayList<Part>();
    for (var write : writes) {
      write
          .cells()
          .forEach(
              (topic, cells) ->
                  byShard(cells)
                      .forEach(
                          (shard, some) ->
                              parts.add(new Part(topic, write.partition(), shard, some))));
    }
    return parts;
  }

  private static Map<Integer, List<OffsetCell>> byShard(List<OffsetCell> cells) {
    var byShard = new LinkedHashMap<Integer, List<OffsetCell>>();
    for (var cell : cells) {
      byShard.computeIfAbsent(cell.shard(), shard -> new ArrayList<>()).add(cell);
    }
    return byShard;
  }

  private static Map<Integer, Position> positions(Statement statement, StorageCluster primary)
      throws SQLException {
    var positions = new HashMap<Integer, Position>();
    try (var rows = statement.getResultSet()) {
      while (rows.next()) {
        if (rows.getInt("epoch") != primary.epoch()) {
          throw new StaleEpochException(primary.name(), primary.epoch());
        }
        positions.put(rows.getInt(1), PositionTable.position(rows));
      }
    }
    if (positions.isEmpty()) {
      throw new StaleEpochException(primary.name(), primary.epoch());
    }
    return positions;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
