package io.cellmesh.storage;

import io.cellmesh.cell.InvalidCellException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.regex.Pattern;

/** The one place that judges what MySQL and the driver complain about. */
public final class MySqlErrors {
  /**
   * ENOSPC, EDQUOT, EFBIG and ENOMEM, as several errors of reading and writing carry them: "Got
   * error 28 - …", "(errno: 28 - …)", "(OS errno 28 - …)".
   */
  private static final Pattern NO_ROOM =
      Pattern.compile("\\b(?:Got error|errno:?|Errcode:) (?:28|122|27|12)\\b");

  /** How many connections a pool had, which is beside the point. */
  private static final Pattern POOL_STATE = Pattern.compile(" \\(total=\\d+, .*");

  /** ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, as for characters outside a column's set: state HY000. */
  private static final int TRUNCATED_WRONG_VALUE_FOR_FIELD = 1366;

  private static final Pattern COLUMN = Pattern.compile("[Cc]olumn '([a-z_]+)'");

  private static final Pattern RULE =
      Pattern.compile("(?i)out of range|too long|incorrect|cannot be null|truncated");

  private static final String CONNECTION_STATE = "08";

  /** How Connector/J begins to say that a server offers none. */
  private static final String NO_TLS = "SSL Connection required";

  private static final String TRUST =
      "look at the server's certificate, its issuer and host names, and at the trust store";

  private MySqlErrors() {}

  /** What to do about an error. */
  public enum Verdict {
    /** The server is gone, stuck, full or read-only: go on without it and try it again later. */
    UNAVAILABLE,
    /** Locks, a time limit or a full pool were in the way: the same transaction again. */
    CONTENTION,
    /** Nothing but a person can help. */
    FATAL
  }

  public static Verdict verdict(SQLException error) {
    if (error instanceof ServerFailure && error.getCause() instanceof SQLException cause) {
      // It has the state and code of its cause, but says less by its class.
      return verdict(cause);
    }
    if (distrusts(error)) {
      return Verdict.FATAL;
    }
    if (error instanceof PoolFullException) {
      return Verdict.CONTENTION;
    }
    var known = KnownError.of(decisive(error).getErrorCode());
    if (known.isPresent()) {
      return known.get().verdict();
    }
    boolean connection =
        error instanceof SQLTransientConnectionException
            || error instanceof SQLNonTransientConnectionException
            || (error.getSQLState() != null && error.getSQLState().startsWith(CONNECTION_STATE));
    return connection || noRoom(error) ? Verdict.UNAVAILABLE : Verdict.FATAL;
  }

  /** Whether the server answers and takes no writes: it is read-only, or has no room for them. */
  static boolean refusesWrites(SQLException error) {
    return KnownError.of(decisive(error).getErrorCode()).filter(KnownError::isOfWrites).isPresent()
        || noRoom(error);
  }

  /** Whether a table that was asked for is not there; its database may be. */
  public static boolean isNoSuchTable(SQLException error) {
    return is(KnownError.ER_NO_SUCH_TABLE, error);
  }

  /** Whether the user lacks a right for it. */
  public static boolean isDenied(SQLException error) {
    return KnownError.of(error.getErrorCode()).filter(KnownError::isOfRights).isPresent();
  }

  /** Whether a row with the same unique key is there already. */
  public static boolean isDuplicate(SQLException error) {
    return is(KnownError.ER_DUP_ENTRY, error);
  }

  /**
   * Whether a value of a row is to blame, in whatever state the server is: SQLState 22 (data) and
   * 23 (constraint) but for a duplicate key, and characters that a column can't hold, which have
   * none.
   */
  public static boolean isOfAValue(SQLException error) {
    var state = String.valueOf(error.getSQLState());
    return (state.startsWith("22") || state.startsWith("23"))
            && !isDuplicate(error)
            && !(error instanceof StaleEpochException)
        || error.getErrorCode() == TRUNCATED_WRONG_VALUE_FOR_FIELD;
  }

  /**
   * Such an error as the reason to reject the cell, with the column that is to blame. The server's
   * own words stay out but for those that name the rule, since they can quote the value.
   */
  static InvalidCellException misfit(SQLException error) {
    var message = String.valueOf(error.getMessage());
    var column = COLUMN.matcher(message);
    var rule = RULE.matcher(message);
    return InvalidCellException.of(
        column.find() ? column.group(1) : "record",
        "MySQL refuses its value: %s (error %d, SQLState %s)"
            .formatted(
                rule.find() ? rule.group().toLowerCase(Locale.ROOT) : "no such value",
                error.getErrorCode(),
                error.getSQLState()));
  }

  private static boolean is(KnownError known, SQLException error) {
    return KnownError.of(error.getErrorCode()).filter(known::equals).isPresent();
  }

  /**
   * The error in one line for a person, with what to do about it where that is known. Values are in
   * it only if the server's own message quotes them.
   */
  public static String explain(SQLException error) {
    if (error instanceof ServerFailure || error instanceof PoolFullException) {
      return error.getMessage();
    }
    if (distrusts(error)) {
      return line(root(error)) + "; " + TRUST;
    }
    var decisive = decisive(error);
    var advice = KnownError.of(decisive.getErrorCode()).map(KnownError::advice).orElse("");
    var line = line(advice.isEmpty() ? root(decisive) : decisive);
    return advice.isEmpty() ? line : line + "; " + advice;
  }

  /** Whether the server is there, and serves this user not at all or not so far. */
  public static boolean turnsAway(SQLException error) {
    return distrusts(error)
        || KnownError.of(decisive(error).getErrorCode())
            .filter(KnownError::isOfTheUser)
            .isPresent();
  }

  /** Whether the server did not prove what the TLS mode asks of it. */
  public static boolean distrusts(SQLException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException
          || String.valueOf(cause.getMessage()).startsWith(NO_TLS)) {
        return true;
      }
    }
    return false;
  }

  private static String line(Throwable error) {
    return error.getMessage() == null
        ? error.getClass().getSimpleName()
        : POOL_STATE.matcher(error.getMessage().lines().findFirst().orElse("")).replaceFirst("");
  }

  /** "Connection refused" says more than that a link has failed. */
  private static Throwable root(Throwable error) {
    var root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /**
   * What the server said, if a pool or the driver wraps it; else the error itself. The innermost,
   * for a pool repeats its number without its words.
   */
  private static SQLException decisive(SQLException error) {
    var decisive = error;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && KnownError.of(sql.getErrorCode()).isPresent()) {
        decisive = sql;
      }
    }
    return decisive;
  }

  private static boolean noRoom(SQLException error) {
    return error.getMessage() != null && NO_ROOM.matcher(error.getMessage()).find();
  }
}
