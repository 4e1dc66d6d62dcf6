package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTable.Conflict;
import io.cellmesh.storage.EntityTable.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The transaction that brings cells to a primary: lock the positions, compare them with what the
 * writer remembers, insert the cells in offset order, advance the positions (invariant 2). All of
 * it is one round trip; only then does the writer look whether the positions were the expected
 * ones, and rolls back if not.
 *
 * <p>The epoch is read under a shared lock, so that who raises it waits for this transaction and
 * the next one sees it (invariant 10).
 */
public final class EntityTransaction {
  private final Topology topology;
  private final EntityTable entities;
  private final String positionTable;
  private final String epochTable;

  public EntityTransaction(Topology topology) {
    this.topology = topology;
    this.entities = new EntityTable(topology);
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

  /** Where conflicts are told; returns when that is durable. */
  @FunctionalInterface
  public interface Conflicts {
    void report(IngestTopic topic, int partition, Collection<Conflict> conflicts);
  }

  /**
   * Runs the transaction; on any exception it is rolled back.
   *
   * @param connection in auto-commit mode, with multi-statements allowed
   * @param conflicts told before the commit: after it nothing would lead back to them
   * @param beforeCommit called when everything is written; what it throws rolls back
   * @throws StaleEpochException if the database knows another epoch of the cluster
   */
  public Result run(
      Connection connection,
      StorageCluster primary,
      List<Write> writes,
      Conflicts conflicts,
      Runnable beforeCommit)
      throws SQLException {
    try {
      var result = write(connection, primary, writes, conflicts);
      if (result instanceof Result.Applied) {
        beforeCommit.run();
        execute(connection, "COMMIT");
      } else {
        execute(connection, "ROLLBACK");
      }
      return result;
    } catch (SQLException | RuntimeException e) {
      rollback(connection, e);
      throw e;
    }
  }

  private Result write(
      Connection connection, StorageCluster primary, List<Write> writes, Conflicts conflicts)
      throws SQLException {
    // The statement rather than the driver's switch, which would cost two round trips.
    var script = new Script().sql("START TRANSACTION;");
    lock(script, primary, writes);
    var inserts = inserts(script, writes);
    advance(script, writes);
    var counts = new int[inserts.size()];
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script.toString());
      statement.getMoreResults();
      var found = positions(statement, primary);
      if (writes.stream().anyMatch(w -> !w.expected().equals(found.get(w.partition())))) {
        return new Result.Moved(found);
      }
      for (int i = 0; i < counts.length; i++) {
        statement.getMoreResults();
        counts[i] = statement.getUpdateCount();
      }
    }
    return new Result.Applied(outcome(connection, inserts, counts, conflicts));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void rollback(Connection connection, Exception cause) {
    try {
      execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private void lock(Script script, StorageCluster primary, List<Write> writes) {
    script
        .sql("SELECT " + PositionTable.COLUMNS + ", e.epoch FROM " + positionTable)
        .sql(" p JOIN " + epochTable + " e ON e.cluster = ")
        .text(primary.name())
        .sql(" WHERE p.partition_no IN (");
    for (var write : writes) {
      script.number(write.partition()).sql(",");
    }
    script.sql("-1) ORDER BY p.partition_no FOR UPDATE OF p FOR SHARE OF e");
  }

  private List<Insert> inserts(Script script, List<Write> writes) {
    var inserts = new ArrayList<Insert>();
    for (var write : writes) {
      write
          .cells()
          .forEach(
              (topic, cells) ->
                  byShard(cells)
                      .forEach(
                          (shard, ofShard) -> {
                            script.sql(";");
                            entities.insert(script, shard, ofShard);
                            inserts.add(new Insert(topic, write.partition(), shard, ofShard));
                          }));
    }
    return inserts;
  }

  private static Map<Integer, List<OffsetCell>> byShard(List<OffsetCell> cells) {
    var byShard = new LinkedHashMap<Integer, List<OffsetCell>>();
    for (var cell : cells) {
      byShard.computeIfAbsent(cell.shard(), shard -> new ArrayList<>()).add(cell);
    }
    return byShard;
  }

  private void advance(Script script, List<Write> writes) {
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

  private Outcome outcome(
      Connection connection, List<Insert> inserts, int[] counts, Conflicts conflicts)
      throws SQLException {
    var outcome = Outcome.NONE;
    for (int i = 0; i < counts.length; i++) {
      var insert = inserts.get(i);
      var one = new Outcome(counts[i], 0, List.of());
      if (counts[i] != insert.cells().size()) {
        one = entities.compare(connection, insert.shard(), insert.cells(), counts[i]);
        if (!one.conflicts().isEmpty()) {
          conflicts.report(insert.topic(), insert.partition(), one.conflicts());
        }
      }
      outcome = outcome.plus(one);
    }
    return outcome;
  }

  private record Insert(IngestTopic topic, int partition, int shard, List<OffsetCell> cells) {}
}
