package io.cellmesh.storage;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.mysql.cj.conf.PropertyKey;
import com.mysql.cj.jdbc.JdbcConnection;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Asks one server how far it has some ingest partitions, what it has of some cells and which epochs
 * it knows, in one statement. All of it comes from one snapshot: a cell that is missing beside a
 * position that has passed its record was refused (invariant 13). Locks nothing. Thread-safe.
 */
public final class CellLookup {
  /** Most cells of a row that an answer holds. */
  private static final int MOST_OF_A_ROW = 10_000;

  /** From so many things asked for on they are read one by one, which costs a round trip. */
  private static final int MANY = 50;

  /** About how many characters a statement has, without what is asked for and for each of it. */
  private static final int ALONE = 512;

  private static final int AN_ASK = 256;

  private static final int POSITION = -1;
  private static final int EPOCH = -2;
  private static final int BY_KEY = -3;

  /** As many as {@link CellReader#COLUMNS} has. */
  private static final String NO_CELL = ", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL";

  private static final String NO_POSITION = ", NULL, NULL, NULL, NULL, NULL, ";

  /** Where the columns of a cell begin. */
  private static final int CELL = 8;

  /** A text of the same character set as a cluster's name. */
  private static final int ORIGIN = CELL + 5;

  /** The same where one thing is asked for alone. */
  private static final int LONE_CELL = 3;

  private static final Comparator<LogRecord> ORDER =
      Comparator.comparing((LogRecord found) -> found.cell().key().columnName())
          .thenComparingLong(found -> found.cell().key().refKey());

  private final Topology topology;
  private final long mostBytes;
  private final String position;
  private final String epoch;

  /** For those who ask for no more than they have room for. */
  public CellLookup(Topology topology) {
    this(topology, Long.MAX_VALUE);
  }

  /**
   * @param mostBytes of bodies, in their stored form, that an answer may have
   */
  public CellLookup(Topology topology, long mostBytes) {
    this.topology = topology;
    this.mostBytes = mostBytes;
    this.position = PositionTable.name(topology);
    this.epoch = Names.metaDatabase(topology.instance()) + ".epoch";
  }

  /** What is asked for, all of one row. */
  public sealed interface Ask {
    UUID rowKey();

    /** One cell. */
    record One(CellKey key) implements Ask {
      @Override
      public UUID rowKey() {
        return key.rowKey();
      }
    }

    /**
     * The cell of a column with the highest ref_key.
     *
     * @param atMost only ref_keys up to this one
     */
    record Latest(UUID rowKey, String columnName, OptionalLong atMost) implements Ask {}

    /** All cells of a row, up to {@value #MOST_OF_A_ROW}. */
    record Row(UUID rowKey) implements Ask {}
  }

  /**
   * What a server said.
   *
   * @param epochs that it knows, by cluster; if one thing was asked for alone and was there, only
   *     that of the cluster that owns it
   * @param readOnly whether it takes no writes
   * @param positions of the partitions that were asked for
   * @param found for each thing asked for its cells, by column and ref_key
   */
  public record Answer(
      Map<String, Integer> epochs,
      boolean readOnly,
      Map<Integer, Position> positions,
      List<List<LogRecord>> found) {}

  /**
   * Asks.
   *
   * @param connection to a server of the cluster that owns the rows
   * @param partitions whose positions are wanted
   * @throws AnswerTooLargeException if the bodies are larger than they may be, or a row has more
   *     than {@value #MOST_OF_A_ROW} cells
   */
  public Answer ask(Connection connection, Collection<Integer> partitions, List<? extends Ask> asks)
      throws SQLException {
    boolean many = asks.size() > MANY || asks.stream().anyMatch(Ask.Row.class::isInstance);
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      if (partitions.isEmpty() && asks.size() == 1) {
        // A third less dear than what follows, and most reads are like that.
        var ask = asks.get(0);
        var answer = ask(connection, statement, many, lone(ask), rows -> readLone(rows, ask));
        if (answer.isPresent()) {
          return answer.get();
        }
      }
      return ask(connection, statement, many, sql(partitions, asks), rows -> read(rows, asks));
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read(ResultSet rows) throws SQLException;
  }

  private static <T> T ask(
      Connection connection, Statement statement, boolean many, String sql, Reading<T> reading)
      throws SQLException {
    return many ? oneByOne(connection, statement, sql, reading) : ask(statement, sql, reading);
  }

  private static <T> T ask(Statement statement, String sql, Reading<T> reading)
      throws SQLException {
    // executeQuery has the driver read the whole text first, lest it be something else.
    statement.execute(sql);
    try (var rows = statement.getResultSet()) {
      return reading.read(rows);
    }
  }

  /** Asks for one row after the other, so that a limit can be kept. */
  private static <T> T oneByOne(
      Connection connection, Statement statement, String sql, Reading<T> reading)
      throws SQLException {
    // Connector/J would give the server more time to send them, by one statement before and one
    // after; they are read without a pause.
    var time =
        connection
            .unwrap(JdbcConnection.class)
            .getPropertySet()
            .getIntegerProperty(PropertyKey.netTimeoutForStreamingResults);
    int before = time.getValue();
    time.setValue(0);
    try {
      // Its way of asking so.
      statement.setFetchSize(Integer.MIN_VALUE);
      return ask(statement, sql, reading);
    } finally {
      time.setValue(before);
    }
  }

  String sql(Collection<Integer> partitions, List<? extends Ask> asks) {
    var script = new Script(ALONE + asks.size() * AN_ASK);
    script.sql("(SELECT ").number(EPOCH).sql(", e.epoch, NULL, NULL, NULL, NULL, ");
    script.sql("@@GLOBAL.read_only, NULL, NULL, NULL, NULL, NULL, e.cluster, NULL, NULL");
    script.sql(" FROM " + epoch + " e)");
    if (!partitions.isEmpty()) {
      script.sql(" UNION ALL (SELECT ").number(POSITION).sql(", " + PositionTable.COLUMNS);
      script.sql(", NULL" + NO_CELL + " FROM " + position);
      script.sql(" WHERE " + PositionTable.isOneOf(partitions) + ")");
    }
    byShard(asks).forEach((shard, keys) -> keys(script, shard, keys));
    for (int i = 0; i < asks.size(); i++) {
      var ask = asks.get(i);
      if (!(ask instanceof Ask.One)) {
        condition(select(script, i, topology.shards().of(ask.rowKey())), ask).sql(")");
      }
    }
    return script.toString();
  }

  private Map<Integer, List<CellKey>> byShard(List<? extends Ask> asks) {
    return asks.stream()
        .filter(Ask.One.class::isInstance)
        .map(ask -> ((Ask.One) ask).key())
        .distinct()
        .collect(
            groupingBy(
                key -> topology.shards().of(key.rowKey()),
                TreeMap::new,
                mapping(key -> key, toList())));
  }

  /** One thing with the owner's epoch; nothing at all if it is not there. */
  String lone(Ask ask) {
    int shard = topology.shards().of(ask.rowKey());
    var script = new Script(ALONE + AN_ASK);
    script.sql("SELECT (SELECT MAX(epoch) FROM " + epoch + " WHERE cluster ");
    // A range of one, for the reason that PositionTable gives.
    var owner = topology.clusterOf(shard).name();
    script.sql("BETWEEN ").text(owner).sql(" AND ").text(owner).sql("), @@GLOBAL.read_only, ");
    script.sql(CellReader.COLUMNS + " FROM ");
    script.sql(Names.database(topology.instance(), shard) + ".entity WHERE ");
    return condition(script, ask).toString();
  }

  private void keys(Script script, int shard, List<CellKey> keys) {
    isOneOf(select(script, BY_KEY, shard), keys).sql(")");
  }

  /** Which cells are meant, and in which order. */
  private static Script condition(Script script, Ask ask) {
    if (ask instanceof Ask.One one) {
      return isOneOf(script, List.of(one.key()));
    }
    script.sql("row_key = ").bytes(UuidBytes.of(ask.rowKey()));
    if (ask instanceof Ask.Latest latest) {
      script.sql(" AND column_name = ").text(latest.columnName());
      if (latest.atMost().isPresent()) {
        script.sql(" AND ref_key <= ").number(latest.atMost().getAsLong());
      }
      return script.sql(" ORDER BY ref_key DESC LIMIT 1");
    }
    return script.sql(" ORDER BY column_name, ref_key LIMIT ").number(MOST_OF_A_ROW + 1L);
  }

  private static Script isOneOf(Script script, List<CellKey> keys) {
    script.sql("(row_key, column_name, ref_key) IN (");
    var separator = "(";
    for (var key : keys) {
      script.sql(separator).bytes(UuidBytes.of(key.rowKey())).sql(",");
      script.text(key.columnName()).sql(",").number(key.refKey());
      separator = "),(";
    }
    return script.sql("))");
  }

  private Script select(Script script, int number, int shard) {
    script.sql(" UNION ALL (SELECT ").number(number).sql(", ").number(shard).sql(NO_POSITION);
    script.sql(CellReader.COLUMNS + " FROM ");
    return script.sql(Names.database(topology.instance(), shard) + ".entity WHERE ");
  }

  private Answer read(ResultSet rows, List<? extends Ask> asks) throws SQLException {
    var epochs = new HashMap<String, Integer>();
    boolean readOnly = false;
    var positions = new HashMap<Integer, Position>();
    var byKey = new HashMap<CellKey, LogRecord>();
    var byAsk = new HashMap<Integer, List<LogRecord>>();
    long bytes = 0;
    while (rows.next()) {
      int what = rows.getInt(1);
      switch (what) {
        case EPOCH -> {
          epochs.put(rows.getString(ORIGIN), rows.getInt(2));
          readOnly = rows.getBoolean(7);
        }
        case POSITION -> positions.put(rows.getInt(2), position(rows));
        case BY_KEY -> {
          var found = CellReader.cell(rows, rows.getInt(2), CELL);
          byKey.put(found.cell().key(), found);
          bytes = withinLimit(bytes, found);
        }
        default -> {
          var found = CellReader.cell(rows, rows.getInt(2), CELL);
          byAsk.computeIfAbsent(what, i -> new ArrayList<>()).add(found);
          bytes = withinLimit(bytes, found);
          checkCount(byAsk.get(what).size());
        }
      }
    }
    var found = new ArrayList<List<LogRecord>>();
    for (int i = 0; i < asks.size(); i++) {
      found.add(
          asks.get(i) instanceof Ask.One one
              ? byKey.containsKey(one.key()) ? List.of(byKey.get(one.key())) : List.of()
              : sorted(byAsk.getOrDefault(i, List.of())));
    }
    return new Answer(epochs, readOnly, positions, found);
  }

  /** Empty if it is not there, or the server knows no epoch of its owner. */
  private Optional<Answer> readLone(ResultSet rows, Ask ask) throws SQLException {
    int shard = topology.shards().of(ask.rowKey());
    var found = new ArrayList<LogRecord>();
    int epoch = 0;
    boolean readOnly = false;
    long bytes = 0;
    while (rows.next()) {
      epoch = rows.getInt(1);
      readOnly = rows.getBoolean(2);
      found.add(CellReader.cell(rows, shard, LONE_CELL));
      bytes = withinLimit(bytes, found.get(found.size() - 1));
      checkCount(found.size());
    }
    var owner = topology.clusterOf(shard).name();
    return epoch == 0
        ? Optional.empty()
        : Optional.of(new Answer(Map.of(owner, epoch), readOnly, Map.of(), List.of(sorted(found))));
  }

  private static void checkCount(int cellsOfARow) {
    if (cellsOfARow > MOST_OF_A_ROW) {
      throw new AnswerTooLargeException("the row has over %d cells".formatted(MOST_OF_A_ROW));
    }
  }

  private long withinLimit(long before, LogRecord found) {
    long bytes = before + found.cell().body().stored().length;
    if (bytes > mostBytes) {
      throw new AnswerTooLargeException("the cells have over %d bytes".formatted(mostBytes));
    }
    return bytes;
  }

  private static Position position(ResultSet row) throws SQLException {
    return new Position(
        new Mark(row.getLong(3), row.getLong(4)), new Mark(row.getLong(5), row.getLong(6)));
  }

  private static List<LogRecord> sorted(List<LogRecord> cells) {
    return cells.stream().sorted(ORDER).toList();
  }
}
