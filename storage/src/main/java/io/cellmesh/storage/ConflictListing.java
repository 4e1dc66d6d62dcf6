package io.cellmesh.storage;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.storage.Decision.Place;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Lists what a server's ledger of conflicts holds, for people to look at and for proofs. It locks
 * and changes nothing, and goes by an index, however long the ledger is.
 */
public final class ConflictListing {
  private static final String COLUMNS =
      "SELECT row_key, column_name, ref_key, topic_id, topic_kind, partition_no, record_offset,"
          + " kept_digest, refused_digest, kept_origin, refused_origin, decided_at, told_at";

  private static final String RECORD =
      ", record_key, record_value, record_headers, record_timestamp";

  private static final String LAST_FIRST =
      " partition_no DESC, topic_kind DESC, record_offset DESC, topic_id DESC LIMIT ";

  private static final int KEYS_A_STATEMENT = 500;

  private final String table;
  private final String datacenter;

  public ConflictListing(Topology topology) {
    this.table = ConflictTable.name(topology);
    this.datacenter = topology.datacenter();
  }

  /**
   * A decision.
   *
   * @param topicId Kafka's id of the topic
   * @param kept digest of the body that stays, SHA-256 in hex
   * @param refused digest of the body that came second
   * @param keptOrigin data centre where the cell that stays was first written
   * @param refusedOrigin data centre of the one that came second
   * @param toldAt when the topic of rejected records got it; empty if it is not told yet
   */
  public record Entry(
      CellKey key,
      UUID topicId,
      IngestTopic topic,
      int partition,
      long offset,
      String kept,
      String refused,
      String keptOrigin,
      String refusedOrigin,
      Instant decidedAt,
      Optional<Instant> toldAt) {

    /** Where it stands among all that are listed. */
    public ConflictCursor cursor() {
      return new ConflictCursor(toldAt, topic, new Place(topicId, partition, offset));
    }
  }

  /**
   * Which decisions are listed.
   *
   * @param since when they were decided, at the earliest
   */
  public record Filter(Optional<ConflictKind> kind, Optional<Instant> since) {
    /** All of them. */
    public static final Filter ALL = new Filter(Optional.empty(), Optional.empty());
  }

  /**
   * A decision with the record that was refused.
   *
   * @param record empty once it is told, and where only a copy of its cell was left
   */
  public record Found(Entry entry, Optional<RefusedRecord> record) {}

  /**
   * Lists decisions in the order of {@link ConflictCursor}.
   *
   * @param after the last one that was seen; empty to begin
   * @return at most {@code limit}
   */
  public List<Entry> page(
      Connection connection, Filter filter, Optional<ConflictCursor> after, int limit)
      throws SQLException {
    var entries = new ArrayList<Entry>();
    if (after.flatMap(ConflictCursor::toldAt).isEmpty()) {
      entries.addAll(untold(connection, filter, after, limit));
    }
    if (entries.size() < limit) {
      var from = after.filter(cursor -> cursor.toldAt().isPresent());
      entries.addAll(told(connection, filter, from, limit - entries.size()));
    }
    return entries;
  }

  /**
   * Lists the newest decisions: those that are not told yet, and those that were told last; at most
   * {@code limit} of each. The latest decided comes first.
   */
  public List<Entry> newest(Connection connection, int limit) throws SQLException {
    var entries = new ArrayList<Entry>();
    entries.addAll(untold(connection, Filter.ALL, Optional.empty(), limit));
    entries.addAll(told(connection, Filter.ALL, Optional.empty(), limit));
    entries.sort(Comparator.comparing(Entry::decidedAt).reversed());
    return entries;
  }

  /** Lists the decisions about some cells, by cell; those without any are not in it. */
  public Map<CellKey, List<Entry>> of(Connection connection, Collection<CellKey> keys)
      throws SQLException {
    var all = List.copyOf(keys);
    var found = new HashMap<CellKey, List<Entry>>();
    for (int from = 0; from < all.size(); from += KEYS_A_STATEMENT) {
      var some = all.subList(from, Math.min(all.size(), from + KEYS_A_STATEMENT));
      var search =
          new Search()
              .where(
                  "(row_key, column_name, ref_key) IN ("
                      + String.join(",", Collections.nCopies(some.size(), "(?,?,?)"))
                      + ")");
      for (var key : some) {
        search.with(UuidBytes.of(key.rowKey()), key.columnName(), key.refKey());
      }
      for (var entry : search.entries(connection, "")) {
        found.computeIfAbsent(entry.key(), key -> new ArrayList<>()).add(entry);
      }
    }
    return found;
  }

  /**
   * Lists the decisions about records of one partition, in the order of their offsets.
   *
   * @param from the first offset
   * @param end the offset after the last one
   * @return at most {@code limit}
   */
  public List<Entry> ofRecords(
      Connection connection, UUID topicId, int partition, long from, long end, int limit)
      throws SQLException {
    return new Search()
        .where("topic_id = ? AND partition_no = ? AND record_offset >= ? AND record_offset < ?")
        .with(UuidBytes.of(topicId), partition, from, end)
        .entries(connection, " ORDER BY record_offset LIMIT " + limit);
  }

  /**
   * Finds the decision about one record.
   *
   * @param topic the part of the topic's id that {@link RecordPosition} has; should two ids begin
   *     with it, one of the two is found
   */
  public Optional<Found> find(Connection connection, String topic, int partition, long offset)
      throws SQLException {
    for (var topicId : topicIds(connection)) {
      if (RecordPosition.topicOf(topicId).equals(topic)) {
        var found =
            new Search()
                .where("topic_id = ? AND partition_no = ? AND record_offset = ?")
                .with(UuidBytes.of(topicId), partition, offset)
                .found(connection);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private List<Entry> untold(
      Connection connection, Filter filter, Optional<ConflictCursor> after, int limit)
      throws SQLException {
    var search = new Search().inOrder().where("told_at IS NULL").matching(filter);
    after.ifPresent(
        cursor ->
            search
                .where("partition_no <= ?")
                .with(cursor.place().partition())
                .where("(partition_no, topic_kind, record_offset, topic_id) < (?,?,?,?)")
                .with(place(cursor)));
    // With a column that is NULL in all of them in front MySQL would sort them.
    return search.entries(connection, " ORDER BY" + LAST_FIRST + limit);
  }

  private List<Entry> told(
      Connection connection, Filter filter, Optional<ConflictCursor> after, int limit)
      throws SQLException {
    var search = new Search().inOrder().where("told_at IS NOT NULL").matching(filter);
    // None is told before it is decided; this bounds what is looked at.
    filter.since().ifPresent(since -> search.where("told_at >= ?").with(time(since)));
    after.ifPresent(
        cursor -> {
          var told = time(cursor.toldAt().orElseThrow());
          search
              .where("told_at <= ?")
              .with(told)
              .where("(told_at, partition_no, topic_kind, record_offset, topic_id) < (?,?,?,?,?)")
              .with(told)
              .with(place(cursor));
        });
    return search.entries(connection, " ORDER BY told_at DESC," + LAST_FIRST + limit);
  }

  /** Of all topics that a decision is about; MySQL jumps from one to the next. */
  private List<UUID> topicIds(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT DISTINCT topic_id FROM " + table)) {
      var ids = new ArrayList<UUID>();
      while (rows.next()) {
        ids.add(UuidBytes.read(rows.getBytes(1)));
      }
      return ids;
    }
  }

  private static Object[] place(ConflictCursor cursor) {
    var place = cursor.place();
    return new Object[] {
      place.partition(), cursor.topic().column(), place.offset(), UuidBytes.of(place.topicId())
    };
  }

  /** The sessions are in UTC. */
  private static LocalDateTime time(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, LocalDateTime.class))
        .map(time -> time.toInstant(ZoneOffset.UTC));
  }

  private static Entry entry(ResultSet row) throws SQLException {
    var hex = HexFormat.of();
    return new Entry(
        new CellKey(UuidBytes.read(row.getBytes(1)), row.getString(2), row.getLong(3)),
        UuidBytes.read(row.getBytes(4)),
        IngestTopic.ofColumn(row.getString(5)),
        row.getInt(6),
        row.getLong(7),
        hex.formatHex(row.getBytes(8)),
        hex.formatHex(row.getBytes(9)),
        row.getString(10),
        row.getString(11),
        instant(row, 12).orElseThrow(),
        instant(row, 13));
  }

  /** A statement with its conditions and their values. */
  private final class Search {
    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private String index = "";

    /**
     * Goes by the index that has the order of {@link ConflictCursor}, so that nothing is sorted.
     */
    Search inOrder() {
      index = " FORCE INDEX (untold)";
      return this;
    }

    Search where(String condition) {
      conditions.add(condition);
      return this;
    }

    Search with(Object... more) {
      values.addAll(Arrays.asList(more));
      return this;
    }

    Search matching(Filter filter) {
      filter.since().ifPresent(since -> where("decided_at >= ?").with(time(since)));
      filter
          .kind()
          .ifPresent(
              kind ->
                  where(
                          (kind == ConflictKind.OWN ? "" : "NOT ")
                              + "(kept_origin = ? AND refused_origin = ?)")
                      .with(datacenter, datacenter));
      return this;
    }

    List<Entry> entries(Connection connection, String end) throws SQLException {
      return rows(connection, COLUMNS, end, ConflictListing::entry);
    }

    Optional<Found> found(Connection connection) throws SQLException {
      return rows(
              connection,
              COLUMNS + RECORD,
              "",
              row -> new Found(entry(row), ConflictTable.record(row, 14)))
          .stream()
          .findFirst();
    }

    private <T> List<T> rows(Connection connection, String columns, String end, Reader<T> reader)
        throws SQLException {
      var where = " WHERE " + String.join(" AND ", conditions);
      var sql = columns + " FROM " + table + index + where + end;
      try (var query = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.size(); i++) {
          query.setObject(i + 1, values.get(i));
        }
        var read = new ArrayList<T>();
        try (var rows = query.executeQuery()) {
          while (rows.next()) {
            read.add(reader.read(rows));
          }
        }
        return read;
      }
    }
  }

  private interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }
}
