package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.storage.MySqlErrors;
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

  private record Statement(IndexTable table, int shard, List<IndexEntry> rows) {
    Script append(Script script, Form form) {
      return form.append(table, script, shard, rows);
    }
  }

  /** How rows are written. */
  @FunctionalInterface
  private interface Form {
    Script append(IndexTable table, Script script, int shard, List<IndexEntry> rows);
  }

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
   * Writes all of it, each entry if no version of it is lower than what stands. On any exception it
   * is rolled back.
   *
   * @param connection in auto-commit mode, with multi-statements allowed
   */
  public void execute(Connection connection) throws SQLException {
    execute(connection, IndexTable::write);
  }

  /**
   * Writes all of it if none of the entries stands yet, in whatever version; for two thirds of the
   * server's time. Nothing is written otherwise, nor on any exception.
   *
   * @param connection as for {@link #execute}
   * @return whether it was written
   */
  public boolean insert(Connection connection) throws SQLException {
    try {
      execute(connection, IndexTable::insert);
      return true;
    } catch (SQLException e) {
      if (MySqlErrors.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  private void execute(Connection connection, Form form) throws SQLException {
    if (statements.size() == 1) {
      statements.get(0).append(new Script(), form).execute(connection);
      return;
    }
    try {
      var script = new Script().sql("START TRANSACTION");
      for (var statement : statements) {
        if (script.length() > ROUND_TRIP) {
          script.execute(connection);
          script = new Script();
        }
        statement.append(script.sql(script.length() == 0 ? "" : ";"), form);
      }
      script.sql(";COMMIT").execute(connection);
    } catch (SQLException | RuntimeException e) {
      Script.rollback(connection, e);
      throw e;
    }
  }
}
