package io.cellmesh.e2e.billing;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.examples.billing.PaymentProvider;
import io.cellmesh.examples.billing.StandInProvider;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A payment provider that outlives whoever asks it, and counts how often it was asked. One card in
 * ten is declined at first. An answer takes its time, so that many who ask die before they have it.
 */
final class PaymentsTable implements PaymentProvider {
  private static final long ANSWER_MS = 100;

  private final String url;
  private final String process;
  private final ThreadLocal<Connection> connections = ThreadLocal.withInitial(this::connect);

  /**
   * @param process who asks
   */
  PaymentsTable(String url, String process) {
    this.url = url;
    this.process = process;
  }

  static void create(MySqlServer server) {
    server.execute(
        "CREATE DATABASE payments",
        "CREATE TABLE payments.trips(trip CHAR(36) PRIMARY KEY, asked INT NOT NULL)",
        "CREATE TABLE payments.attempts(trip CHAR(36), number INT, amount DECIMAL(12, 2) NOT NULL,"
            + " charged BOOLEAN NOT NULL, PRIMARY KEY (trip, number))",
        "CREATE TABLE payments.asked(id BIGINT AUTO_INCREMENT PRIMARY KEY, process VARCHAR(40))");
  }

  /** Where a process of its own finds it. */
  static String url(MySqlServer server) {
    return "jdbc:mysql://%s:%d/payments?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
        .formatted(server.host(), server.port());
  }

  @Override
  public List<Attempt> charge(UUID trip, BigDecimal amount)
      throws SQLException, InterruptedException {
    var connection = connections.get();
    connection.setAutoCommit(false);
    // Who comes second waits for this row until the first one has committed.
    update(
        connection,
        "INSERT INTO trips VALUES (?, 1) ON DUPLICATE KEY UPDATE asked = asked + 1",
        trip.toString());
    update(connection, "INSERT INTO asked(process) VALUES (?)", process);
    var attempts = attempts(connection, trip);
    if (attempts.isEmpty() || !attempts.get(attempts.size() - 1).charged()) {
      int number = attempts.size() + 1;
      boolean charged = !StandInProvider.declinesOneInTenAtFirst(trip, number);
      attempts.add(new Attempt(number, amount, charged));
      update(
          connection,
          "INSERT INTO attempts VALUES (?, ?, ?, ?)",
          trip.toString(),
          number,
          amount,
          charged);
    }
    connection.commit();
    TimeUnit.MILLISECONDS.sleep(ANSWER_MS);
    return attempts;
  }

  /** How often a process has asked. */
  static long asked(MySqlServer server, String process) {
    return number(server, "SELECT COUNT(*) FROM payments.asked WHERE process = '" + process + "'");
  }

  static long number(MySqlServer server, String query) {
    return Long.parseLong(server.query(query).strip());
  }

  private static List<Attempt> attempts(Connection connection, UUID trip) throws SQLException {
    var attempts = new ArrayList<Attempt>();
    var query = "SELECT number, amount, charged FROM attempts WHERE trip = ? ORDER BY number";
    try (var statement = connection.prepareStatement(query)) {
      statement.setString(1, trip.toString());
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          attempts.add(new Attempt(rows.getInt(1), rows.getBigDecimal(2), rows.getBoolean(3)));
        }
      }
    }
    return attempts;
  }

  private static void update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  private Connection connect() {
    try {
      return DriverManager.getConnection(url);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
