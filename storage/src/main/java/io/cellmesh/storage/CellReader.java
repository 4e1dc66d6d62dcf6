package io.cellmesh.storage;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.UuidBytes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads cells by key from the shard that owns the row. A minion may lag behind its master; the
 * master has every visible cell.
 */
public final class CellReader {
  private static final int ROWS_A_STATEMENT = 500;

  static final String COLUMNS =
      "added_id, row_key, column_name, ref_key, body, origin, origin_id, created_at";

  private final Topology topology;
  private final Pools pools;
  private final ServerChoice choice;

  /**
   * @param fromMinion read the first minion of the shard's cluster, if there is one
   */
  public CellReader(Topology topology, Pools pools, boolean fromMinion) {
    this(topology, pools, ServerChoice.of(fromMinion));
  }

  /**
   * @param choice which server of the shard's cluster is read
   */
  public CellReader(Topology topology, Pools pools, ServerChoice choice) {
    this.topology = topology;
    this.pools = pools;
    this.choice = choice;
  }

  /** The cell of a key. */
  public Optional<LogRecord> get(CellKey key) throws SQLException {
    return read(
            key.rowKey(),
            " AND column_name = ? AND ref_key = ?",
            query -> {
              query.setString(2, key.columnName());
              query.setLong(3, key.refKey());
            })
        .stream()
        .findFirst();
  }

  /** The cell with the highest ref_key of a row's column. */
  public Optional<LogRecord> latest(UUID rowKey, String columnName) throws SQLException {
    return read(
            rowKey,
            " AND column_name = ? ORDER BY ref_key DESC LIMIT 1",
            query -> query.setString(2, columnName))
        .stream()
        .findFirst();
  }

  /** Every cell of a row, by column and ref_key. */
  public List<LogRecord> row(UUID rowKey) throws SQLException {
    return read(rowKey, " ORDER BY column_name, ref_key", query -> {});
  }

  /**
   * Cells of many rows: one connection at a time, a server after the other, and one statement for
   * each shard and {@value #ROWS_A_STATEMENT} of its rows.
   *
   * @param latest only each column's cell with the highest ref_key
   * @param columns only these; all if empty
   * @return each row's cells by column and ref_key; rows without any are not in it
   */
  public Map<UUID, List<LogRecord>> rows(
      Collection<UUID> rowKeys, boolean latest, List<String> columns) throws SQLException {
    var servers =
        rowKeys.stream()
            .distinct()
            .collect(
                groupingBy(this::serverOf, groupingBy(rowKey -> topology.shards().of(rowKey))));
    var found = new HashMap<UUID, List<LogRecord>>();
    for (var server : servers.entrySet()) {
      var cells = pools.ask(server.getKey(), c -> cells(c, server.getValue(), latest, columns));
      found.putAll(cells.stream().collect(groupingBy(cell -> cell.cell().key().rowKey())));
    }
    return found;
  }

  /** The server that this reader asks for a row. */
  public Server serverOf(UUID rowKey) {
    return choice.of(topology.clusterOf(topology.shards().of(rowKey)));
  }

  private List<LogRecord> read(UUID rowKey, String condition, Binding binding) throws SQLException {
    int shard = topology.shards().of(rowKey);
    var sql =
        "SELECT "
            + COLUMNS
            + " FROM "
            + Names.database(topology.instance(), shard)
            + ".entity WHERE row_key = ?"
            + condition;
    return pools.ask(
        serverOf(rowKey),
        connection -> {
          try (var query = connection.prepareStatement(sql)) {
            query.setBytes(1, UuidBytes.of(rowKey));
            binding.bind(query);
            return cells(query, shard);
          }
        });
  }

  private List<LogRecord> cells(
      Connection connection,
      Map<Integer, List<UUID>> rowsByShard,
      boolean latest,
      List<String> columns)
      throws SQLException {
    var cells = new ArrayList<LogRecord>();
    for (var shard : rowsByShard.entrySet()) {
      var keys = shard.getValue();
      for (int from = 0; from < keys.size(); from += ROWS_A_STATEMENT) {
        var some = keys.subList(from, Math.min(keys.size(), from + ROWS_A_STATEMENT));
        cells.addAll(read(connection, shard.getKey(), some, latest, columns));
      }
    }
    return cells;
  }

  private List<LogRecord> read(
      Connection connection, int shard, List<UUID> rowKeys, boolean latest, List<String> columns)
      throws SQLException {
    var entity = Names.database(topology.instance(), shard) + ".entity";
    var which =
        " WHERE row_key IN (%s)%s"
            .formatted(
                placeholders(rowKeys.size()),
                columns.isEmpty()
                    ? ""
                    : " AND column_name IN (%s)".formatted(placeholders(columns.size())));
    // The highest ref_keys come from the unique key alone, so that no older body is read.
    var sql =
        latest
            ? """
              SELECT %1$s FROM %2$s JOIN (
                SELECT row_key, column_name, MAX(ref_key) AS ref_key FROM %2$s%3$s
                GROUP BY row_key, column_name) latest
              USING (row_key, column_name, ref_key)"""
            : "SELECT %s FROM %s%s";
    try (var query =
        connection.prepareStatement(
            sql.formatted(COLUMNS, entity, which) + " ORDER BY row_key, column_name, ref_key")) {
      int at = 1;
      for (var rowKey : rowKeys) {
        query.setBytes(at++, UuidBytes.of(rowKey));
      }
      for (var column : columns) {
        query.setString(at++, column);
      }
      return cells(query, shard);
    }
  }

  private static String placeholders(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  private static List<LogRecord> cells(PreparedStatement query, int shard) throws SQLException {
    var cells = new ArrayList<LogRecord>();
    try (var rows = query.executeQuery()) {
      while (rows.next()) {
        cells.add(cell(rows, shard));
      }
    }
    return cells;
  }

  /** The entity row where the result set stands; it must select {@link #COLUMNS}. */
  static LogRecord cell(ResultSet row, int shard) throws SQLException {
    return cell(row, shard, 1);
  }

  /**
   * The same, of a result set that selects something else before them.
   *
   * @param first the number of the first of the columns
   */
  static LogRecord cell(ResultSet row, int shard, int first) throws SQLException {
    long addedId = row.getLong(first);
    var key =
        new CellKey(
            UuidBytes.read(row.getBytes(first + 1)),
            row.getString(first + 2),
            row.getLong(first + 3));
    var datacenter = row.getString(first + 5);
    long originId = row.getLong(first + 6);
    var origin = new Origin(datacenter, row.wasNull() ? addedId : originId);
    var cell = new Cell(key, Body.ofStored(row.getBytes(first + 4)), Optional.of(origin));
    var createdAt = row.getObject(first + 7, LocalDateTime.class).toInstant(ZoneOffset.UTC);
    return new LogRecord(cell, shard, addedId, createdAt);
  }

  private interface Binding {
    void bind(PreparedStatement query) throws SQLException;
  }
}
