package io.cellmesh.storage;

import static java.util.Comparator.comparing;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The copies that a cluster holds as secondary. */
public final class BufferTable {
  private static final int BAD_NULL = 1048;

  private final String table;
  private final String epochTable;

  public BufferTable(Topology topology) {
    var meta = Names.metaDatabase(topology.instance());
    this.table = meta + ".buffer";
    this.epochTable = meta + ".epoch";
  }

  /**
   * Writes copies in one autocommit statement, which checks the epoch of each primary (invariant
   * 10): either all are written or none. Epochs are read under a shared lock, so that who raises
   * one waits for this statement; in the order of their primaries, as {@link #reap} does.
   *
   * @param copies by primary
   * @throws StaleEpochException if the secondary knows another epoch of one of the primaries
   */
  public void insert(Connection connection, Map<StorageCluster, List<Copy>> copies)
      throws SQLException {
    var script = new Script();
    script
        .sql("INSERT INTO " + table)
        .sql(" (primary_cluster, topic_kind, partition_no, previous_next, next_offset,")
        .sql(" next_digest, cells, bytes, batch, epoch, written_at) VALUES ");
    var separator = "";
    for (var primary : inOrder(copies.keySet(), cluster -> cluster)) {
      for (var copy : copies.get(primary)) {
        script.sql(separator);
        values(script, primary, copy);
        separator = ",";
      }
    }
    try (var insert = connection.createStatement()) {
      insert.setEscapeProcessing(false);
      insert.executeUpdate(script.toString());
    } catch (SQLException e) {
      if (e.getErrorCode() == BAD_NULL) {
        throw new StaleEpochException(copies.keySet());
      }
      throw e;
    }
  }

  private void values(Script script, StorageCluster primary, Copy copy) {
    script.sql("(").text(primary.name()).sql(",").text(copy.topic().column());
    script.sql(",").number(copy.partition()).sql(",").number(copy.previous());
    script.sql(",").number(copy.end().next()).sql(",").number(copy.end().digest());
    var batch = CopyCodec.encode(copy.cells());
    script.sql(",").number(copy.cells().size()).sql(",").number(batch.length);
    script.sql(",").bytes(batch);
    // NULL, which the column refuses, if the epoch is another one.
    script.sql(",(SELECT e.epoch FROM " + epochTable + " e WHERE e.cluster = ");
    script.text(primary.name()).sql(" AND e.epoch = ").number(primary.epoch());
    script.sql(" FOR SHARE),UTC_TIMESTAMP(6))");
  }

  /**
   * Copies of one primary, topic and partition that end after an offset, in the order of their
   * ends, without their cells.
   *
   * @param limit most copies to return
   */
  public List<CopyHeader> held(
      Connection connection,
      String primary,
      IngestTopic topic,
      int partition,
      long after,
      int limit)
      throws SQLException {
    var sql =
        "SELECT id, previous_next, next_offset, next_digest, cells, bytes FROM "
            + table
            + " WHERE primary_cluster = ? AND topic_kind = ? AND partition_no = ? AND next_offset > ?"
            + " ORDER BY next_offset, previous_next LIMIT "
            + limit;
    try (var query = connection.prepareStatement(sql)) {
      query.setString(1, primary);
      query.setString(2, topic.column());
      query.setInt(3, partition);
      query.setLong(4, after);
      var held = new ArrayList<CopyHeader>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          held.add(
              new CopyHeader(
                  rows.getLong(1),
                  rows.getLong(2),
                  new Mark(rows.getLong(3), rows.getLong(4)),
                  rows.getInt(5),
                  rows.getInt(6)));
        }
      }
      return held;
    }
  }

  /**
   * What copies of one primary and topic cover of several partitions, in one statement.
   *
   * @param after by partition; only copies that end after this offset
   * @param limit most copies of a partition, those that end first
   */
  public Map<Integer, List<Covered>> covered(
      Connection connection, String primary, IngestTopic topic, Map<Integer, Long> after, int limit)
      throws SQLException {
    var script = new Script();
    var separator = "(";
    for (var entry : after.entrySet()) {
      script.sql(separator).sql("SELECT partition_no, previous_next, next_offset FROM " + table);
      script.sql(" WHERE primary_cluster = ").text(primary);
      script.sql(" AND topic_kind = ").text(topic.column());
      script.sql(" AND partition_no = ").number(entry.getKey());
      script.sql(" AND next_offset > ").number(entry.getValue());
      script.sql(" ORDER BY next_offset LIMIT ").number(limit);
      separator = ") UNION ALL (";
    }
    var covered = new HashMap<Integer, List<Covered>>();
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      try (var rows = statement.executeQuery(script.sql(")").toString())) {
        while (rows.next()) {
          covered
              .computeIfAbsent(rows.getInt(1), partition -> new ArrayList<>())
              .add(new Covered(rows.getLong(2), rows.getLong(3)));
        }
      }
    }
    return covered;
  }

  /** The cells of copies, by their ids; a copy that is gone meanwhile is left out. */
  public Map<Long, List<OffsetCell>> cells(Connection connection, Collection<Long> ids)
      throws SQLException {
    var list = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT id, batch FROM " + table + " WHERE id IN (" + list + ")")) {
      var cells = new HashMap<Long, List<OffsetCell>>();
      while (rows.next()) {
        cells.put(rows.getLong(1), CopyCodec.decode(rows.getBytes(2)));
      }
      return cells;
    }
  }

  /** Where copies end of each primary, topic and partition that the buffer has. */
  public List<Ends> ends(Connection connection) throws SQLException {
    // Answered by the index alone, whatever the buffer holds.
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT primary_cluster, partition_no, topic_kind, MIN(next_offset), MAX(next_offset) FROM "
                    + table
                    + " GROUP BY primary_cluster, partition_no, topic_kind")) {
      var ends = new ArrayList<Ends>();
      while (rows.next()) {
        ends.add(
            new Ends(
                rows.getString(1),
                IngestTopic.ofColumn(rows.getString(3)),
                rows.getInt(2),
                rows.getLong(4),
                rows.getLong(5)));
      }
      return ends;
    }
  }

  /** What the buffer holds, one row a primary, topic and partition among the given partitions. */
  public List<Depth> depth(Connection connection, Collection<Integer> partitions)
      throws SQLException {
    var list = partitions.stream().map(String::valueOf).collect(Collectors.joining(","));
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT primary_cluster, topic_kind, partition_no, COUNT(*), SUM(cells), MIN(next_offset),"
                    + " TIMESTAMPDIFF(SECOND, MIN(written_at), UTC_TIMESTAMP(6)) FROM "
                    + table
                    + " WHERE partition_no IN ("
                    + list
                    + ") GROUP BY primary_cluster, topic_kind, partition_no")) {
      var depths = new ArrayList<Depth>();
      while (rows.next()) {
        depths.add(
            new Depth(
                rows.getString(1),
                IngestTopic.ofColumn(rows.getString(2)),
                rows.getInt(3),
                rows.getLong(4),
                rows.getLong(5),
                rows.getLong(6),
                rows.getLong(7)));
      }
      return depths;
    }
  }

  /**
   * Deletes copies that may go, those of all primaries in one transaction and one round trip. Who
   * knows another epoch of a primary deletes none of its copies: an old map calls the server a
   * minion that is the only one left now (invariant 5). The others' go all the same. On any
   * exception it is rolled back.
   *
   * <p>Epochs and rows are locked in the order of the index, whoever deletes, so that no two tasks
   * wait for each other.
   *
   * @param connection in auto-commit mode, with multi-statements allowed
   * @param limit most copies of a primary that go, those that end first in each partition and topic
   * @return how many went, by primary
   */
  public Map<String, Integer> reap(Connection connection, List<Reapable> reapable, int limit)
      throws SQLException {
    var inOrder = inOrder(reapable, Reapable::primary);
    var script = new Script().sql("START TRANSACTION");
    inOrder.forEach(one -> delete(script, one, limit));
    script.sql(";COMMIT");
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script.toString());
      var went = new HashMap<String, Integer>();
      for (var one : inOrder) {
        statement.getMoreResults();
        went.put(one.primary().name(), statement.getUpdateCount());
      }
      return went;
    } catch (SQLException | RuntimeException e) {
      Script.rollback(connection, e);
      throw e;
    }
  }

  /**
   * Adds a statement that finds its rows by the index, however few the table has: a scan would wait
   * for rows that other tasks have locked.
   */
  private void delete(Script script, Reapable reapable, int limit) {
    var primary = reapable.primary();
    script.sql(";DELETE /*+ INDEX(b reach) */ FROM " + table + " AS b");
    script.sql(" WHERE b.primary_cluster = ").text(primary.name());
    var separator = " AND (";
    for (var upTo : reapable.upTo()) {
      script.sql(separator).sql("b.partition_no = ").number(upTo.partition());
      script.sql(" AND b.topic_kind = ").text(upTo.topic().column());
      script.sql(" AND b.next_offset <= ").number(upTo.offset());
      separator = " OR ";
    }
    script.sql(") AND (SELECT e.epoch FROM " + epochTable + " e WHERE e.cluster = ");
    script.text(primary.name()).sql(" FOR SHARE) = ").number(primary.epoch());
    script.sql(" ORDER BY b.partition_no, b.topic_kind, b.next_offset LIMIT ").number(limit);
  }

  /**
   * By name, so that no two statements that lock epochs of several primaries wait for each other.
   */
  private static <T> List<T> inOrder(Collection<T> all, Function<T, StorageCluster> primary) {
    return all.stream().sorted(comparing(one -> primary.apply(one).name())).toList();
  }

  /**
   * Copies of one primary that may go.
   *
   * @param upTo those of these partitions and topics; at least one
   */
  public record Reapable(StorageCluster primary, List<UpTo> upTo) {}

  /**
   * Copies of one topic and partition.
   *
   * @param offset at or before which they end
   */
  public record UpTo(IngestTopic topic, int partition, long offset) {}

  /**
   * A copy without its cells.
   *
   * @param previous where the copy before it ended
   * @param end the mark after the last record that it covers
   * @param cells how many it has
   * @param bytes that they take
   */
  public record CopyHeader(long id, long previous, Mark end, int cells, int bytes) {}

  /**
   * The offsets of which a copy holds all cells of its primary.
   *
   * @param from the first
   * @param next the one after the last
   */
  public record Covered(long from, long next) {
    public boolean has(long offset) {
      return from <= offset && offset < next;
    }
  }

  /**
   * Where copies of one primary, topic and partition end.
   *
   * @param first the smallest offset at which one ends
   * @param last the largest
   */
  public record Ends(String primary, IngestTopic topic, int partition, long first, long last) {}

  /**
   * How much of one primary, topic and partition is buffered on a secondary.
   *
   * @param copies rows
   * @param cells cells in them
   * @param firstEnd the smallest offset at which one of them ends
   * @param oldestSeconds age of the oldest, in seconds
   */
  public record Depth(
      String primary,
      IngestTopic topic,
      int partition,
      long copies,
      long cells,
      long firstEnd,
      long oldestSeconds) {}
}
