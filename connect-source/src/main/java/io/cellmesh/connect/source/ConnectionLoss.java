package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.event.deserialization.EventDataDeserializationException;
import com.github.shyiko.mysql.binlog.network.IdentityVerificationException;
import com.github.shyiko.mysql.binlog.network.ServerException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * Tells a connection that was lost, which comes back by trying again, from everything else.
 *
 * <p>Debezium wraps what happened in layers of its own exceptions, so the whole chain of causes is
 * looked at, and what no new attempt can change wins over what looks like a loss.
 */
final class ConnectionLoss {

  /**
   * A binlog position that the server does not have, and accesses that it denies: trying again
   * gives the same answer, and a person has to act.
   */
  private static final Set<Integer> LASTING = Set.of(1236, 1044, 1045, 1049, 1142, 1227);

  /**
   * As many connections as this user may have, a limit of its resources, a query that somebody has
   * ended, and a server that is offline for maintenance: all of it passes.
   */
  private static final Set<Integer> PASSING = Set.of(1203, 1226, 1317, 3032);

  /**
   * Comes with 1236, too: the server has cut this reader off because a later one registered with
   * its id. That is another run of the same task, one of which is about to be stopped by Connect.
   */
  private static final String DISPLACED = "same server_uuid/server_id";

  /** Accounts, passwords and rights. */
  private static final Set<Integer> REFUSALS = Set.of(1044, 1045, 1142, 1143, 1227, 1698);

  private ConnectionLoss() {}

  /** How Connector/J begins to say that a server has no TLS, and one that must have it. */
  private static final String NO_TLS = "SSL Connection required";

  /**
   * Whether a server answered that this user may not do this, or did not prove who it is: another
   * attempt does not change it.
   */
  static boolean isRefusal(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (REFUSALS.contains(errorCode(cause)) || isDistrust(cause)) {
        return true;
      }
    }
    return false;
  }

  /** What it all began with, and for a refusal what to do about it. */
  static String explain(Throwable failure, String user) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (isDistrust(cause)) {
        return rootMessage(failure)
            + "; look at the server's certificate, its issuer and host names, and at"
            + " mysql.ssl.truststore.location";
      }
      if (REFUSALS.contains(errorCode(cause))) {
        return "user %s: %s; look at its password, and at what `cellmesh grants --role source` prints"
            .formatted(user, cause.getMessage());
      }
    }
    return rootMessage(failure);
  }

  /** What it all began with. */
  static String rootMessage(Throwable failure) {
    var root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }

  static boolean isCauseOf(Throwable failure) {
    boolean lost = false;
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (LASTING.contains(errorCode(cause))) {
        return String.valueOf(cause.getMessage()).contains(DISPLACED);
      }
      if (isDistrust(cause)) {
        return false;
      }
      lost |= isLoss(cause);
    }
    return lost;
  }

  private static boolean isDistrust(Throwable cause) {
    return cause instanceof CertificateException
        || cause instanceof IdentityVerificationException
        || String.valueOf(cause.getMessage()).startsWith(NO_TLS);
  }

  private static boolean isLoss(Throwable cause) {
    if (cause instanceof SQLException sql) {
      return PASSING.contains(sql.getErrorCode())
          || sql.getSQLState() != null && sql.getSQLState().startsWith("08");
    }
    // An event that can't be decoded is an IOException too, but as broken the next time.
    return cause instanceof TimeoutException
        || cause instanceof IOException && !(cause instanceof EventDataDeserializationException);
  }

  private static int errorCode(Throwable cause) {
    if (cause instanceof SQLException sql) {
      return sql.getErrorCode();
    }
    return cause instanceof ServerException server ? server.getErrorCode() : 0;
  }
}
