package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** What buffers and positions hold, for people to look at. It locks and changes nothing. */
public final class BufferListing {
  private static final String COPY =
      "SELECT id, primary_cluster, topic_kind, partition_no, previous_next, next_offset, cells,"
          + " TIMESTAMPDIFF(MICROSECOND, written_at, UTC_TIMESTAMP(6)) DIV 1000";

  private final String buffer;
  private final String position;

  public BufferListing(Topology topology) {
    var meta = Names.metaDatabase(topology.instance());
    this.buffer = meta + ".buffer";
    this.position = meta + ".position";
  }

  /**
   * A copy without its cells.
   *
   * @param previous where the copy before it ended
   * @param next the offset after the last record that it covers
   * @param cells how many it has
   * @param ageMillis since it was written, by the clock of its server
   */
  public record ListedCopy(
      long id,
      String primary,
      IngestTopic topic,
      int partition,
      long previous,
      long next,
      long cells,
      long ageMillis) {}

  /** A copy with its cells. */
  public record OpenCopy(ListedCopy copy, List<OffsetCell> cells) {}

  /** All copies of a buffer, or those of one primary, in no order. */
  public List<ListedCopy> copies(Connection connection, Optional<String> primary)
      throws SQLException {
    var sql = COPY + " FROM " + buffer + (primary.isPresent() ? " WHERE primary_cluster = ?" : "");
    try (var query = connection.prepareStatement(sql)) {
      if (primary.isPresent()) {
        query.setString(1, primary.get());
      }
      return copies(query);
    }
  }

  /**
   * A page of the copies of the given partitions, by their ids.
   *
   * @param after the last id of the page before it; 0 for the first
   * @param limit most copies of a page: the last has fewer
   */
  public List<ListedCopy> page(
      Connection connection, Collection<Integer> partitions, long after, int limit)
      throws SQLException {
    var list = partitions.stream().map(String::valueOf).collect(Collectors.joining(","));
    var sql =
        COPY
            + " FROM "
            + buffer
            + " WHERE id > ? AND partition_no IN ("
            + list
            + ") ORDER BY id LIMIT "
            + limit;
    try (var query = connection.prepareStatement(sql)) {
      query.setLong(1, after);
      return copies(query);
    }
  }

  /**
   * The first copies of one primary that have cells, by partition, topic and offset.
   *
   * @param partition only this one
   * @param cells no more copies are read once this many cells are there
   */
  public List<OpenCopy> open(
      Connection connection, String primary, OptionalInt partition, int cells) throws SQLException {
    var copies = new ArrayList<OpenCopy>();
    long read = 0;
    for (var copy : first(connection, primary, partition, cells)) {
      if (read >= cells) {
        break;
      }
      var batch = batch(connection, copy.id());
      if (batch.isPresent()) {
        copies.add(new OpenCopy(copy, CopyCodec.decode(batch.get())));
        read += copy.cells();
      }
    }
    return copies;
  }

  /** The next offset of each topic in each partition, as the server of this connection has it. */
  public Map<Integer, Map<IngestTopic, Long>> positions(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT partition_no, cells_next, mesh_next FROM " + position)) {
      var positions = new HashMap<Integer, Map<IngestTopic, Long>>();
      while (rows.next()) {
        positions.put(
            rows.getInt(1),
            Map.of(IngestTopic.CELLS, rows.getLong(2), IngestTopic.MESH, rows.getLong(3)));
      }
      return positions;
    }
  }

  private List<ListedCopy> first(
      Connection connection, String primary, OptionalInt partition, int limit) throws SQLException {
    var sql =
        COPY
            + " FROM "
            + buffer
            + " WHERE primary_cluster = ? AND cells > 0"
            + (partition.isPresent() ? " AND partition_no = ?" : "")
            + " ORDER BY partition_no, topic_kind, next_offset LIMIT "
            + limit;
    try (var query = connection.prepareStatement(sql)) {
      query.setString(1, primary);
      if (partition.isPresent()) {
        query.setInt(2, partition.getAsInt());
      }
      return copies(query);
    }
  }

  /** Empty if the copy has gone meanwhile. */
  private Optional<byte[]> batch(Connection connection, long id) throws SQLException {
    try (var query = connection.prepareStatement("SELECT batch FROM " + buffer + " WHERE id = ?")) {
      query.setLong(1, id);
      try (var rows = query.executeQuery()) {
        return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
      }
    }
  }

  private static List<ListedCopy> copies(PreparedStatement query) throws SQLException {
    try (var rows = query.executeQuery()) {
      var copies = new ArrayList<ListedCopy>();
      while (rows.next()) {
        copies.add(copy(rows));
      }
      return copies;
    }
  }

  private static ListedCopy copy(ResultSet rows) throws SQLException {
    return new ListedCopy(
        rows.getLong(1),
        rows.getString(2),
        rows.getString(3).equals(IngestTopic.MESH.column()) ? IngestTopic.MESH : IngestTopic.CELLS,
        rows.getInt(4),
        rows.getLong(5),
        rows.getLong(6),
        rows.getLong(7),
        rows.getLong(8));
  }
}
