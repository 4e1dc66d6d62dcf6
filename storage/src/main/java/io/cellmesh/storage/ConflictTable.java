package io.cellmesh.storage;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.storage.Decision.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ledger of conflicts on a primary. A row is written by the transaction that decides the cell,
 * so that it stands and falls with the decision and replicates with it; the refused record's bytes
 * go when it is told, the digests stay (invariant 11).
 */
public final class ConflictTable {
  static final String CREATE_TABLE =
      """
      CREATE TABLE IF NOT EXISTS conflict (
        topic_id BINARY(16) NOT NULL,
        topic_kind ENUM('cells','mesh') NOT NULL,
        partition_no INT UNSIGNED NOT NULL,
        record_offset BIGINT UNSIGNED NOT NULL,
        row_key BINARY(16) NOT NULL,
        column_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
        ref_key BIGINT NOT NULL,
        kept_digest BINARY(32) NOT NULL,
        refused_digest BINARY(32) NOT NULL,
        kept_origin VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        refused_origin VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        record_key LONGBLOB NULL,
        record_value LONGBLOB NULL,
        record_headers LONGBLOB NULL,
        record_timestamp BIGINT NULL,
        decided_at DATETIME(6) NOT NULL,
        told_at DATETIME(6) NULL,
        PRIMARY KEY (topic_id, partition_no, record_offset),
        KEY untold (told_at, partition_no, topic_kind, record_offset),
        KEY cell (row_key, column_name, ref_key)
      ) ENGINE=InnoDB""";

  /** Of refused records, in bytes, that a page has at most, unless a single one is larger. */
  private static final long PAGE_BYTES = 8 << 20;

  private static final String PLACE = "(topic_id, partition_no, record_offset)";

  private final String table;

  public ConflictTable(Topology topology) {
    this.table = name(topology);
  }

  static String name(Topology topology) {
    return Names.metaDatabase(topology.instance()) + ".conflict";
  }

  /** Adds the statement that writes decisions down; none of them may be there yet. */
  void insert(Script script, Collection<Decision> decisions) {
    script
        .sql("INSERT INTO " + table + " (topic_id, topic_kind, partition_no, record_offset,")
        .sql(" row_key, column_name, ref_key, kept_digest, refused_digest, kept_origin,")
        .sql(" refused_origin, record_key, record_value, record_headers, record_timestamp,")
        .sql(" decided_at) VALUES ");
    var separator = "";
    for (var decision : decisions) {
      script.sql(separator).sql("(");
      values(script, decision);
      script.sql(",UTC_TIMESTAMP(6))");
      separator = ",";
    }
  }

  private static void values(Script script, Decision decision) {
    var place = decision.place();
    script.bytes(UuidBytes.of(place.topicId())).sql(",").text(decision.topic().column());
    script.sql(",").number(place.partition()).sql(",").number(place.offset());
    var key = decision.key();
    script.sql(",").bytes(UuidBytes.of(key.rowKey())).sql(",").text(key.columnName());
    script.sql(",").number(key.refKey());
    script.sql(",").bytes(HexFormat.of().parseHex(decision.kept()));
    script.sql(",").bytes(HexFormat.of().parseHex(decision.refused()));
    script.sql(",").text(decision.keptOrigin()).sql(",").text(decision.refusedOrigin());
    if (decision.record().isEmpty()) {
      script.sql(",NULL,NULL,NULL,NULL");
      return;
    }
    var record = decision.record().get();
    for (var bytes :
        new byte[][] {record.key(), record.value(), HeadersCodec.encode(record.headers())}) {
      script.sql(",");
      if (bytes == null) {
        script.sql("NULL");
      } else {
        script.bytes(bytes);
      }
    }
    script.sql(",").number(record.timestamp());
  }

  /**
   * The decisions that nobody has told yet, by partition, topic and offset, with the refused
   * records: at most {@code limit} of them and 8 MiB of records, yet always one if there is any.
   *
   * @param reached by partition, the position that all who must have a decision have passed; others
   *     are left out
   */
  public List<Decision> untold(Connection connection, Map<Integer, Position> reached, int limit)
      throws SQLException {
    if (reached.isEmpty()) {
      return List.of();
    }
    var places = page(connection, reached, limit);
    if (places.isEmpty()) {
      return List.of();
    }
    var sql =
        "SELECT topic_id, partition_no, record_offset, topic_kind, row_key, column_name, ref_key,"
            + " kept_digest, refused_digest, kept_origin, refused_origin, record_key, record_value,"
            + " record_headers, record_timestamp FROM "
            + table
            + " WHERE told_at IS NULL AND "
            + among(places)
            + " ORDER BY partition_no, topic_kind, record_offset";
    try (var query = connection.prepareStatement(sql)) {
      bind(query, places);
      var decisions = new ArrayList<Decision>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          decisions.add(decision(rows));
        }
      }
      return decisions;
    }
  }

  /**
   * Notes that refused records were told, and lets go of their bytes.
   *
   * @return how many were not noted before
   */
  public int told(Connection connection, Collection<Place> places) throws SQLException {
    if (places.isEmpty()) {
      return 0;
    }
    var sql =
        "UPDATE "
            + table
            + " SET told_at = UTC_TIMESTAMP(6), record_key = NULL, record_value = NULL,"
            + " record_headers = NULL, record_timestamp = NULL WHERE told_at IS NULL AND "
            + among(places);
    try (var update = connection.prepareStatement(sql)) {
      bind(update, places);
      return update.executeUpdate();
    }
  }

  /** How many decisions nobody has told yet. */
  public long countUntold(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT COUNT(*) FROM " + table + " WHERE told_at IS NULL")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Those of some records whose refusal this server knows, told or not. */
  public Set<Place> decided(Connection connection, Collection<Place> places) throws SQLException {
    if (places.isEmpty()) {
      return Set.of();
    }
    var sql =
        "SELECT topic_id, partition_no, record_offset FROM " + table + " WHERE " + among(places);
    try (var query = connection.prepareStatement(sql)) {
      bind(query, places);
      var decided = new HashSet<Place>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          decided.add(place(rows));
        }
      }
      return decided;
    }
  }

  /** The places of the next page. */
  private List<Place> page(Connection connection, Map<Integer, Position> reached, int limit)
      throws SQLException {
    var passed =
        "partition_no = ? AND (topic_kind = 'cells' AND record_offset < ?"
            + " OR topic_kind = 'mesh' AND record_offset < ?)";
    var sql =
        "SELECT topic_id, partition_no, record_offset, COALESCE(OCTET_LENGTH(record_key), 0)"
            + " + COALESCE(OCTET_LENGTH(record_value), 0)"
            + " + COALESCE(OCTET_LENGTH(record_headers), 0) FROM "
            + table
            + " WHERE told_at IS NULL AND ("
            + String.join(" OR ", Collections.nCopies(reached.size(), passed))
            + ") ORDER BY partition_no, topic_kind, record_offset LIMIT "
            + limit;
    try (var query = connection.prepareStatement(sql)) {
      int index = 0;
      for (var partition : reached.entrySet()) {
        query.setInt(++index, partition.getKey());
        query.setLong(++index, partition.getValue().of(IngestTopic.CELLS));
        query.setLong(++index, partition.getValue().of(IngestTopic.MESH));
      }
      var places = new ArrayList<Place>();
      long bytes = 0;
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          bytes += rows.getLong(4);
          if (!places.isEmpty() && bytes > PAGE_BYTES) {
            break;
          }
          places.add(place(rows));
        }
      }
      return places;
    }
  }

  private static String among(Collection<Place> places) {
    return PLACE + " IN (" + String.join(",", Collections.nCopies(places.size(), "(?,?,?)")) + ")";
  }

  private static void bind(PreparedStatement statement, Collection<Place> places)
      throws SQLException {
    int index = 0;
    for (var place : places) {
      statement.setBytes(++index, UuidBytes.of(place.topicId()));
      statement.setInt(++index, place.partition());
      statement.setLong(++index, place.offset());
    }
  }

  private static Place place(ResultSet row) throws SQLException {
    return new Place(UuidBytes.read(row.getBytes(1)), row.getInt(2), row.getLong(3));
  }

  private static Decision decision(ResultSet row) throws SQLException {
    var hex = HexFormat.of();
    return new Decision(
        place(row),
        IngestTopic.ofColumn(row.getString(4)),
        new CellKey(UuidBytes.read(row.getBytes(5)), row.getString(6), row.getLong(7)),
        hex.formatHex(row.getBytes(8)),
        hex.formatHex(row.getBytes(9)),
        row.getString(10),
        row.getString(11),
        record(row, 12));
  }

  /**
   * Reads a refused record.
   *
   * @param column the first of key, value, headers and timestamp, which follow each other
   */
  static Optional<RefusedRecord> record(ResultSet row, int column) throws SQLException {
    long timestamp = row.getLong(column + 3);
    return row.wasNull()
        ? Optional.empty()
        : Optional.of(
            new RefusedRecord(
                row.getBytes(column),
                row.getBytes(column + 1),
                HeadersCodec.decode(row.getBytes(column + 2)),
                timestamp));
  }
}
