package io.cellmesh.e2e.faults;

import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.time.Duration;

/** The sessions of a server: what others do there, and one of the test's own in their way. */
final class Sessions {
  /** MySQL shows its transactions as they were until nobody has looked for 100 ms. */
  static final Duration POLL = Duration.ofMillis(200);

  private final MySqlServer server;

  Sessions(MySqlServer server) {
    this.server = server;
  }

  /** Does something while a session holds what a statement locks; the server may die of it. */
  void whileHolding(String sql, Step step) throws SQLException {
    var connection = server.connect();
    try (var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(sql);
      step.run();
    } finally {
      // Unlike close it asks nothing of a server that may be dead; the session's locks go with it.
      connection.abort(Runnable::run);
    }
  }

  long transactionsInLockWait() {
    return count("information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'");
  }

  /** Transactions with locks whose client has had nothing to say for a second or more. */
  long restingTransactions() {
    return count(
        "information_schema.innodb_trx t JOIN information_schema.processlist p"
            + " ON p.id = t.trx_mysql_thread_id"
            + " WHERE p.command = 'Sleep' AND p.time >= 1 AND t.trx_rows_locked > 0");
  }

  /** Inserts that wait for a table that another session has locked. */
  long waitingForTables() {
    return count(
        "information_schema.processlist WHERE state LIKE 'Waiting for table%' AND info LIKE 'INSERT%'");
  }

  private long count(String from) {
    return Long.parseLong(server.query("SELECT COUNT(*) FROM " + from));
  }

  @FunctionalInterface
  interface Step {
    void run();
  }
}
