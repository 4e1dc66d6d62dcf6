package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The copies that a cluster holds as secondary. */
public final class BufferTable {
  private final String table;
  private final String epochTable;

  public BufferTable(Topology topology) {
    var meta = Names.metaDatabase(topology.instance());
    this.table = meta + ".buffer";
    this.epochTable = meta + ".epoch";
  }

  /**
   * Writes copies of one primary in one autocommit statement, which checks the primary's epoch
   * (invariant 10): either all are written or none.
   *
   * @throws StaleEpochException if the secondary knows another epoch of the primary
   */
  public void insert(Connection connection, String primary, int epoch, List<Copy> copies)
      throws SQLException {
    var sql =
        "INSERT INTO "
            + table
            + " (primary_cluster, topic_kind, partition_no, previous_next, next_offset, cells, batch, written_at)"
            + " SELECT v.column_0, v.column_1, v.column_2, v.column_3, v.column_4, v.column_5, v.column_6,"
            + " UTC_TIMESTAMP(6) FROM (VALUES "
            + String.join(",", Collections.nCopies(copies.size(), "ROW(?,?,?,?,?,?,?)"))
            + ") v JOIN "
            + epochTable
            + " e ON e.cluster = ? AND e.epoch = ?";
    try (var insert = connection.prepareStatement(sql)) {
      int index = 0;
      for (var copy : copies) {
        insert.setString(++index, primary);
        insert.setString(++index, copy.topic().column());
        insert.setInt(++index, copy.partition());
        insert.setLong(++index, copy.previous());
        insert.setLong(++index, copy.next());
        insert.setInt(++index, copy.cells().size());
        insert.setBytes(++index, CopyCodec.encode(copy.cells()));
      }
      insert.setString(++index, primary);
      insert.setInt(++index, epoch);
      if (insert.executeUpdate() != copies.size()) {
        throw new StaleEpochException(primary, epoch);
      }
    }
  }

  /**
   * Copies of one primary, topic and partition that end after an offset, in the order of their
   * ends.
   *
   * @param limit most copies to return
   */
  public List<Copy> read(
      Connection connection,
      String primary,
      IngestTopic topic,
      int partition,
      long after,
      int limit)
      throws SQLException {
    var sql =
        "SELECT previous_next, next_offset, batch FROM "
            + table
            + " WHERE primary_cluster = ? AND topic_kind = ? AND partition_no = ? AND next_offset > ?"
            + " ORDER BY next_offset, previous_next LIMIT "
            + limit;
    try (var query = connection.prepareStatement(sql)) {
      query.setString(1, primary);
      query.setString(2, topic.column());
      query.setInt(3, partition);
      query.setLong(4, after);
      var copies = new ArrayList<Copy>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          copies.add(
              new Copy(
                  primary,
                  topic,
                  partition,
                  rows.getLong(1),
                  rows.getLong(2),
                  CopyCodec.decode(rows.getBytes(3))));
        }
      }
      return copies;
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
                rows.getString(2).equals("mesh") ? IngestTopic.MESH : IngestTopic.CELLS,
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
   * Deletes the copies of one primary, topic and partition that end at or before an offset, at most
   * {@code limit} of them.
   *
   * @return how many went
   */
  public int reap(
      Connection connection, String primary, IngestTopic topic, int partition, long upTo, int limit)
      throws SQLException {
    var sql =
        "DELETE FROM "
            + table
            + " WHERE primary_cluster = ? AND topic_kind = ? AND partition_no = ? AND next_offset <= ?"
            + " ORDER BY next_offset LIMIT "
            + limit;
    try (var delete = connection.prepareStatement(sql)) {
      delete.setString(1, primary);
      delete.setString(2, topic.column());
      delete.setInt(3, partition);
      delete.setLong(4, upTo);
      return delete.executeUpdate();
    }
  }

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
