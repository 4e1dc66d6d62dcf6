package io.cellmesh.triggers;

import io.cellmesh.devstack.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What callbacks of several processes have handled, in the order in which they did. A row stands
 * there before its callback returns, so that a process which dies has not lost what it did.
 */
final class CalledTable implements AutoCloseable {
  private static final String CREATE =
      """
      CREATE TABLE called.cells(
        id BIGINT AUTO_INCREMENT PRIMARY KEY, process VARCHAR(40) NOT NULL, shard INT NOT NULL,
        added_id BIGINT NOT NULL, row_key CHAR(36) NOT NULL, attempt INT NOT NULL,
        at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))""";
  private static final String INSERT =
      "INSERT INTO called.cells(process, shard, added_id, row_key, attempt) VALUES (?, ?, ?, ?, ?)";

  private final String url;
  private final List<Connection> connections = new ArrayList<>();
  private final ThreadLocal<Connection> own = ThreadLocal.withInitial(this::connect);

  /** A cell that a callback has handled. */
  record Call(
      long id, String process, int shard, long addedId, UUID row, int attempt, long atMillis) {}

  CalledTable(String url) {
    this.url = url;
  }

  static CalledTable create(MySqlServer server) {
    server.execute("CREATE DATABASE called", CREATE);
    return new CalledTable(url(server));
  }

  /** Where a process of its own finds it. */
  static String url(MySqlServer server) {
    return "jdbc:mysql://%s:%d/called?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
        .formatted(server.host(), server.port());
  }

  void add(String process, TriggeredCell cell) throws SQLException {
    try (var insert = own.get().prepareStatement(INSERT)) {
      insert.setString(1, process);
      insert.setInt(2, cell.record().shard());
      insert.setLong(3, cell.record().addedId());
      insert.setString(4, cell.record().cell().key().rowKey().toString());
      insert.setInt(5, cell.attempt());
      insert.executeUpdate();
    }
  }

  long count() throws SQLException {
    try (var statement = own.get().createStatement();
        var rows =
            statement.executeQuery("SELECT COUNT(DISTINCT shard, added_id) FROM called.cells")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Whether a process has called within the last second. */
  boolean isBusy(String process) throws SQLException {
    try (var statement =
        own.get()
            .prepareStatement(
                "SELECT COUNT(*) FROM called.cells WHERE process = ? AND at > NOW(6) - INTERVAL 1 SECOND")) {
      statement.setString(1, process);
      try (var rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1) > 0;
      }
    }
  }

  /** All of them in order. */
  List<Call> calls() throws SQLException {
    var calls = new ArrayList<Call>();
    try (var statement = own.get().createStatement();
        var rows =
            statement.executeQuery(
                "SELECT id, process, shard, added_id, row_key, attempt, ROUND(UNIX_TIMESTAMP(at) * 1000)"
                    + " FROM called.cells ORDER BY id")) {
      while (rows.next()) {
        calls.add(
            new Call(
                rows.getLong(1),
                rows.getString(2),
                rows.getInt(3),
                rows.getLong(4),
                UUID.fromString(rows.getString(5)),
                rows.getInt(6),
                rows.getLong(7)));
      }
    }
    return calls;
  }

  @Override
  public synchronized void close() throws SQLException {
    for (var connection : connections) {
      connection.close();
    }
  }

  private synchronized Connection connect() {
    try {
      var connection = DriverManager.getConnection(url);
      connections.add(connection);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
