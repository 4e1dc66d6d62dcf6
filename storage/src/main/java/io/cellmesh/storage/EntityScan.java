package io.cellmesh.storage;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads a whole shard in added_id order, streaming, so that its size costs no memory. */
public final class EntityScan {
  private static final String FROM =
      "SELECT " + CellReader.COLUMNS + " FROM %s.entity WHERE added_id > ?";

  private static final String LAST =
      "SELECT "
          + CellReader.COLUMNS
          + " FROM %s.entity WHERE origin = ? AND %s ORDER BY added_id DESC LIMIT 1";

  private EntityScan() {}

  /**
   * Hands every cell of the shard with an added_id above {@code after} to the consumer, in order.
   */
  public static void scan(
      Connection connection, Topology topology, int shard, long after, Consumer<LogRecord> consumer)
      throws SQLException {
    try (var query = streaming(connection, from(topology, shard) + " ORDER BY added_id")) {
      query.setLong(1, after);
      read(query, shard, consumer);
    }
  }

  /**
   * Hands the first cells above {@code after} to the consumer, in order, by one statement that
   * ends.
   *
   * @param most how many at most
   * @return how many there were
   */
  public static int page(
      Connection connection,
      Topology topology,
      int shard,
      long after,
      int most,
      Consumer<LogRecord> consumer)
      throws SQLException {
    var sql = from(topology, shard) + " ORDER BY added_id LIMIT ?";
    try (var query = connection.prepareStatement(sql)) {
      query.setLong(1, after);
      query.setInt(2, most);
      return read(query, shard, consumer);
    }
  }

  /**
   * Hands the first cells above {@code after} that were first written in this data centre to the
   * consumer, in order.
   *
   * @param most how many at most
   * @return how many there were
   */
  public static int own(
      Connection connection,
      Topology topology,
      int shard,
      long after,
      int most,
      Consumer<LogRecord> consumer)
      throws SQLException {
    return of(connection, topology, shard, topology.datacenter(), after, most, consumer);
  }

  /** As {@link #own}, of the cells that were first written in some data centre. */
  public static int of(
      Connection connection,
      Topology topology,
      int shard,
      String origin,
      long after,
      int most,
      Consumer<LogRecord> consumer)
      throws SQLException {
    var sql = from(topology, shard) + " AND origin = ? ORDER BY added_id LIMIT ?";
    try (var query = streaming(connection, sql)) {
      query.setLong(1, after);
      query.setString(2, origin);
      query.setInt(3, most);
      return read(query, shard, consumer);
    }
  }

  /**
   * As {@link #of}, of another data centre's cells behind one of them.
   *
   * @param behind its origin_id
   */
  public static int behind(
      Connection connection,
      Topology topology,
      int shard,
      String origin,
      long behind,
      long after,
      int most,
      Consumer<LogRecord> consumer)
      throws SQLException {
    var sql = from(topology, shard) + " AND origin = ? AND origin_id > ? ORDER BY added_id LIMIT ?";
    try (var query = streaming(connection, sql)) {
      query.setLong(1, after);
      query.setString(2, origin);
      query.setLong(3, behind);
      query.setInt(4, most);
      return read(query, shard, consumer);
    }
  }

  /**
   * Finds the last cell of a shard that was first written in another data centre.
   *
   * @param atMost the greatest origin_id that is looked for
   */
  public static Optional<LogRecord> lastOf(
      Connection connection, Topology topology, int shard, String origin, long atMost)
      throws SQLException {
    return last(connection, topology, shard, origin, "origin_id <= ?", atMost);
  }

  /** The highest added_id of the shard's cells that were first written here; 0 without any. */
  public static long lastOwnId(Connection connection, Topology topology, int shard)
      throws SQLException {
    return last(connection, topology, shard, topology.datacenter(), "added_id <= ?", Long.MAX_VALUE)
        .map(LogRecord::addedId)
        .orElse(0L);
  }

  /**
   * Finds the last cell of a shard that was first written in this data centre.
   *
   * @param atMost the greatest origin_id that is looked for
   */
  public static Optional<LogRecord> lastOwn(
      Connection connection, Topology topology, int shard, long atMost) throws SQLException {
    var here = topology.datacenter();
    var written = last(connection, topology, shard, here, "added_id <= ?", atMost);
    if (written.filter(cell -> originId(cell) == atMost).isPresent()) {
      return written;
    }
    // A cell that was lost and came back bears its old id, and stands behind all of them.
    var restored =
        last(connection, topology, shard, here, "added_id > ? AND origin_id <= ?", atMost, atMost);
    return Stream.concat(written.stream(), restored.stream())
        .max(Comparator.comparingLong(EntityScan::originId));
  }

  private static Optional<LogRecord> last(
      Connection connection, Topology topology, int shard, String origin, String which, long... ids)
      throws SQLException {
    var sql = LAST.formatted(Names.database(topology.instance(), shard), which);
    try (var query = connection.prepareStatement(sql)) {
      query.setString(1, origin);
      for (int i = 0; i < ids.length; i++) {
        query.setLong(i + 2, ids[i]);
      }
      try (var rows = query.executeQuery()) {
        return rows.next() ? Optional.of(CellReader.cell(rows, shard)) : Optional.empty();
      }
    }
  }

  private static long originId(LogRecord cell) {
    return cell.cell().origin().orElseThrow().id();
  }

  private static String from(Topology topology, int shard) {
    return FROM.formatted(Names.database(topology.instance(), shard));
  }

  /** Connector/J's way of asking for row-by-row streaming. */
  private static PreparedStatement streaming(Connection connection, String sql)
      throws SQLException {
    var query =
        connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
    query.setFetchSize(Integer.MIN_VALUE);
    return query;
  }

  private static int read(PreparedStatement query, int shard, Consumer<LogRecord> consumer)
      throws SQLException {
    int count = 0;
    try (var rows = query.executeQuery()) {
      for (; rows.next(); count++) {
        consumer.accept(CellReader.cell(rows, shard));
      }
    }
    return count;
  }
}
