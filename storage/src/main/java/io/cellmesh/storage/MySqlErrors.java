package io.cellmesh.storage;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** The one place that judges what MySQL and the driver complain about. */
public final class MySqlErrors {
  /** ER_SERVER_SHUTDOWN, ER_OPTION_PREVENTS_STATEMENT (read-only), ER_READ_ONLY_MODE. */
  private static final Set<Integer> NOT_SERVING = Set.of(1053, 1290, 1836);

  /** ER_LOCK_WAIT_TIMEOUT and ER_LOCK_DEADLOCK. */
  private static final Set<Integer> CONTENTION = Set.of(1205, 1213);

  /** ER_DBACCESS_DENIED, ER_ACCESS_DENIED, and refusals of a single privilege. */
  private static final Set<Integer> DENIED = Set.of(1044, 1045, 1142, 1227);

  private MySqlErrors() {}

  /** What to do about an error. */
  public enum Verdict {
    /** The server is gone, stuck or read-only: go on without it and try it again later. */
    UNAVAILABLE,
    /** Locks were in the way: the same transaction again. */
    CONTENTION,
    /** Nothing but a person can help. */
    FATAL
  }

  public static Verdict verdict(SQLException error) {
    if (CONTENTION.contains(error.getErrorCode())) {
      return Verdict.CONTENTION;
    }
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && DENIED.contains(sql.getErrorCode())) {
        return Verdict.FATAL;
      }
    }
    boolean connection =
        error instanceof SQLTransientConnectionException
            || error instanceof SQLNonTransientConnectionException
            || (error.getSQLState() != null && error.getSQLState().startsWith("08"));
    return connection || NOT_SERVING.contains(error.getErrorCode())
        ? Verdict.UNAVAILABLE
        : Verdict.FATAL;
  }
}
