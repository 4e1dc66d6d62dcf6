package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.storage.Script;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries of one index or several, for shards of one server, that are written in one transaction
 * and mostly one round trip: a small server does not get many more transactions done for being
 * asked by several writers.
 */
public final class IndexTransaction {
  private static final int ROWS_A_STATEMENT = 100;

  /** Characters after which a transaction goes on in another round trip. */
  private static final int ROUND_TRIP = 1 << 20;

  private final List<Statement> statements = new ArrayList<>();

  private record Statement(IndexTable table, int shard, List<IndexEntry> rows) {}

  /**
   * Adds entries. Writers that may meet should add tables and shards in the same order, lest they
   * wait for each other.
   *
   * @param rows in their order
   */
  public IndexTransaction add(IndexTable table, int shard, List<IndexEntry> rows) {
    for (int from = 0; from < rows.size(); from += ROWS_A_STATEMENT) {
      int to = Math.min(rows.size(), from + ROWS_A_STATEMENT);
      statements.add(new Statement(table, shard, rows.subList(from, to)));
    }
    return this;
  }

  /**
   * Writes all of it. On any exception it is rolled back.
   *
   * @param connection in auto-commit mode, with multi-statements allowed
   */
  public void execute(Connection connection) throws SQLException {
    if (statements.size() == 1) {
      append(new Script(), statements.get(0)).execute(connection);
      return;
    }
    try {
      var script = new Script().sql("START TRANSACTION");
      for (var statement : statements) {
        if (script.length() > ROUND_TRIP) {
          script.execute(connection);
          script = new Script();
        }
        append(script.sql(script.length() == 0 ? "" : ";"), statement);
      }
      script.sql(";COMMIT").execute(connection);
    } catch (SQLException | RuntimeException e) {
      rollback(connection, e);
      throw e;
    }
  }

  private static Script append(Script script, Statement statement) {
    return statement.table.write(script, statement.shard, statement.rows);
  }

  private static void rollback(Connection connection, Exception cause) {
    try {
      new Script().sql("ROLLBACK").execute(connection);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
