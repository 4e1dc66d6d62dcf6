package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Debezium's JDBC sink: plain INSERT of flat JSON into one table of one server, two tasks.
 *
 * <p>It takes no record without a schema, so Connect's own JsonConverter gives every record the
 * same one ({@code schema.content}); the records carry none. Its batches become one multi-row
 * INSERT each through Connector/J's {@code rewriteBatchedStatements}. A reduction buffer would need
 * a primary key among the fields and has nothing to reduce here: no two cells share a key.
 */
final class PeerSink implements Contestant {
  static final String PLUGIN = "bench/peer/target/plugin";

  static final String TABLE = "cells";
  private static final int PARTITIONS = 16;

  /** More than the rows of the batches that are written at one time. */
  private static final int IN_FLIGHT = 20_000;

  private static final String SCHEMA =
      """
      {"type":"struct","optional":false,"fields":[\
      {"field":"row_key","type":"string","optional":false},\
      {"field":"column_name","type":"string","optional":false},\
      {"field":"ref_key","type":"int64","optional":false},\
      {"field":"body","type":"string","optional":false}]}""";

  private final DevStack stack;
  private final MySqlServer server;
  private final Connection connection;
  private long produced;
  private long drained;
  private long seen;

  private PeerSink(DevStack stack) throws SQLException {
    this.stack = stack;
    this.server = stack.clusters(Servers.DATACENTER).get(0).master();
    this.connection = server.connect();
  }

  static PeerSink start(Progress progress) throws Exception {
    var stack = Servers.start(List.of(Servers.built(PLUGIN)), 1, 0, 16, PARTITIONS, progress);
    boolean up = false;
    try {
      var sink = on(stack);
      up = true;
      return sink;
    } finally {
      if (!up) {
        stack.close();
      }
    }
  }

  /** On servers that are there; they are closed with it. */
  static PeerSink on(DevStack stack) throws SQLException {
    var sink = new PeerSink(stack);
    sink.server.execute(Table.create(TABLE));
    sink.server.execute(
        "CREATE USER bench@'127.0.0.1' IDENTIFIED BY 'bench'",
        "GRANT ALL ON " + Table.DATABASE + ".* TO bench@'127.0.0.1'");
    return sink;
  }

  @Override
  public String name() {
    return "peer";
  }

  @Override
  public String code() {
    return "io.debezium.";
  }

  @Override
  public DevStack stack() {
    return stack;
  }

  MySqlServer server() {
    return server;
  }

  @Override
  public String topic() {
    return TABLE;
  }

  @Override
  public int partitions() {
    return PARTITIONS;
  }

  @Override
  public byte[] record(BenchCell cell) {
    return cell.flat();
  }

  @Override
  public synchronized void produced(BenchCell cell, int partition, long offset) {
    produced++;
  }

  @Override
  public Map<String, String> connector() {
    var config = new TreeMap<String, String>();
    config.put("connector.class", "io.debezium.connector.jdbc.JdbcSinkConnector");
    config.put("topics", TABLE);
    config.put("tasks.max", "2");
    config.put("connection.url", url(server));
    config.put("connection.username", "bench");
    config.put("connection.password", "bench");
    config.put("connection.pool.min_size", "1");
    config.put("insert.mode", "insert");
    config.put("primary.key.mode", "none");
    config.put("schema.evolution", "none");
    config.put("batch.size", "2000");
    config.put("consumer.override.max.poll.records", "2000");
    config.put("consumer.override.auto.offset.reset", "earliest");
    config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
    config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    config.put("value.converter.schemas.enable", "true");
    config.put("value.converter.schema.content", SCHEMA);
    return config;
  }

  static String url(MySqlServer server) {
    return "jdbc:mysql://%s:%d/%s?rewriteBatchedStatements=true&useServerPrepStmts=false&sslMode=DISABLED&allowPublicKeyRetrieval=true"
        .formatted(server.host(), server.port(), Table.DATABASE);
  }

  /** Two tasks take their ids before they commit, so where it matters the rows are counted. */
  @Override
  public synchronized long visible() throws SQLException {
    try (var statement = connection.createStatement()) {
      long last = OurSink.number(statement, "SELECT COALESCE(MAX(id), 0) FROM " + table());
      if (last >= produced) {
        return countedFrom(statement, Math.max(0, last - IN_FLIGHT));
      }
      boolean first = seen == drained && last > drained;
      seen = last;
      return first ? countedFrom(statement, drained) : last;
    }
  }

  private static long countedFrom(Statement statement, long id) throws SQLException {
    return id + OurSink.number(statement, "SELECT COUNT(*) FROM " + table() + " WHERE id > " + id);
  }

  @Override
  public synchronized long count() throws SQLException {
    try (var statement = connection.createStatement()) {
      drained = OurSink.number(statement, "SELECT COUNT(*) FROM " + table());
      seen = drained;
      return drained;
    }
  }

  static String table() {
    return Table.DATABASE + "." + TABLE;
  }

  @Override
  public void close() {
    stack.close();
  }
}
