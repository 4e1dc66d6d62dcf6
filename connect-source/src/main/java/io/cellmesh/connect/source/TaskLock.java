package io.cellmesh.connect.source;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A connector's task's sign of life: a lock of MySQL's own ({@code GET_LOCK}), which one of the
 * task's sessions holds on every server of the cluster.
 *
 * <p>It needs no right, writes nothing, works on a minion, and ends with the session: so whoever
 * can ask a server knows, in whatever worker the task is, whether it lives.
 *
 * @param name at most 64 characters, as MySQL has it
 */
record TaskLock(String name) {
  /** A session that a stopped (SIGSTOP) worker still has ends after so many seconds. */
  private static final int LONGEST_SILENCE_SECONDS = 15;

  private static final String IS_MINE = "SELECT IS_USED_LOCK(?) <=> CONNECTION_ID()";
  private static final String TAKE = "SELECT GET_LOCK(?, 0)";
  private static final String IS_HELD = "SELECT IS_USED_LOCK(?) IS NOT NULL";

  /** The lock of the connector's one task. */
  static TaskLock of(CellSourceConfig config) {
    var task = DebeziumSettings.name(config) + "/" + config.connector();
    return new TaskLock(
        "cellmesh.source." + UUID.nameUUIDFromBytes(task.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Holds it until the connection ends; where another session still does, the next call tries
   * again.
   */
  void hold(Connection connection) throws SQLException {
    if (!is(connection, IS_MINE)) {
      try (var statement = connection.createStatement()) {
        statement.execute("SET SESSION wait_timeout = " + LONGEST_SILENCE_SECONDS);
      }
      is(connection, TAKE);
    }
  }

  /** Whether any session of the server holds it. */
  boolean isHeld(Connection connection) throws SQLException {
    return is(connection, IS_HELD);
  }

  private boolean is(Connection connection, String query) throws SQLException {
    try (var statement = connection.prepareStatement(query)) {
      statement.setString(1, name);
      try (var row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
