package io.cellmesh.operations.put;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.MySqlErrors.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A cell that Kafka has accepted, and that is to become visible in MySQL. */
public final class VisibleCell {
  private static final Duration POLL = Duration.ofMillis(5);

  private VisibleCell() {}

  /** Looks for the cell once. */
  @FunctionalInterface
  public interface Look {
    Optional<LogRecord> now() throws SQLException;
  }

  /**
   * Looks for what may be there already, and so opens a connection. A server that does not answer
   * yet is no reason against producing: it is asked again by {@link #await}.
   *
   * @throws SQLException if only a person can help: nothing that is produced would be found
   */
  public static void prepare(Look look) throws SQLException {
    seen(look);
  }

  /**
   * Waits until the cell is visible. A server that can't be asked for a while, as during a
   * failover, is asked again until the time is over.
   *
   * @throws OperationException if it was not seen in time, with why the last look failed, if it
   *     did; or at once if only a person can help: it says that the cell was accepted
   */
  public static LogRecord await(CellKey key, Duration patience, Look look)
      throws InterruptedException {
    try {
      var last = Waiting.last(patience, POLL, () -> seen(look), seen -> seen.cell().isPresent());
      return last.cell()
          .orElseThrow(
              () ->
                  OperationException.failed(
                      "%s was accepted, but is not visible after %d s%s"
                          .formatted(key, patience.toSeconds(), last.failure())));
    } catch (SQLException e) {
      throw OperationException.unavailable(
          "%s was accepted, but can't be looked for: %s".formatted(key, explain(e)), e);
    }
  }

  private static Seen seen(Look look) throws SQLException {
    try {
      return new Seen(look.now(), "");
    } catch (SQLException e) {
      if (MySqlErrors.verdict(e) == Verdict.FATAL) {
        throw e;
      }
      return new Seen(Optional.empty(), ": " + explain(e));
    }
  }

  private static String explain(SQLException e) {
    return "MySQL: " + MySqlErrors.explain(e);
  }

  /**
   * What a look has shown.
   *
   * @param failure why nothing was seen; empty if MySQL answered
   */
  private record Seen(Optional<LogRecord> cell, String failure) {}
}
