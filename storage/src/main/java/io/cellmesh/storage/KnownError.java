package io.cellmesh.storage;

import static io.cellmesh.storage.MySqlErrors.Verdict.CONTENTION;
import static io.cellmesh.storage.MySqlErrors.Verdict.FATAL;
import static io.cellmesh.storage.MySqlErrors.Verdict.UNAVAILABLE;

import io.cellmesh.storage.MySqlErrors.Verdict;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Errors whose number decides, under MySQL's own names. */
enum KnownError {
  // The server has no room: disk, memory, connections, threads.
  ER_DISK_FULL(1021, UNAVAILABLE),
  ER_OUTOFMEMORY(1037, UNAVAILABLE),
  ER_OUT_OF_SORTMEMORY(1038, UNAVAILABLE),
  ER_CON_COUNT_ERROR(1040, UNAVAILABLE),
  ER_OUT_OF_RESOURCES(1041, UNAVAILABLE),
  ER_RECORD_FILE_FULL(1114, UNAVAILABLE),
  ER_CANT_CREATE_THREAD(1135, UNAVAILABLE),
  ER_TOO_MANY_USER_CONNECTIONS(1203, UNAVAILABLE),
  ER_LOCK_TABLE_FULL(1206, UNAVAILABLE),
  ER_USER_LIMIT_REACHED(1226, UNAVAILABLE),
  ER_TOO_MANY_CONCURRENT_TRXS(1637, UNAVAILABLE),

  // The server is going down, or turns this client away.
  ER_SERVER_SHUTDOWN(1053, UNAVAILABLE),
  ER_NORMAL_SHUTDOWN(1077, UNAVAILABLE),
  ER_GOT_SIGNAL(1078, UNAVAILABLE),
  ER_SHUTDOWN_COMPLETE(1079, UNAVAILABLE),
  ER_FORCING_CLOSE(1080, UNAVAILABLE),
  ER_HOST_IS_BLOCKED(1129, UNAVAILABLE),
  ER_ABORTING_CONNECTION(1152, UNAVAILABLE),
  /** A commit could not be written there, so the server gives up or stops writing binlogs. */
  ER_BINLOG_LOGGING_IMPOSSIBLE(1598, UNAVAILABLE),
  ER_SERVER_OFFLINE_MODE(3032, UNAVAILABLE),
  ER_SERVER_ISNT_AVAILABLE(3168, UNAVAILABLE),
  ER_SESSION_WAS_KILLED(3169, UNAVAILABLE),
  ER_CLIENT_INTERACTION_TIMEOUT(4031, UNAVAILABLE),

  // The server takes no writes.
  ER_OPTION_PREVENTS_STATEMENT(1290, UNAVAILABLE),
  ER_READ_ONLY_MODE(1836, UNAVAILABLE),
  ER_INNODB_READ_ONLY(1874, UNAVAILABLE),
  /** Semi-synchronous or group replication let nothing be committed. */
  ER_RUN_HOOK_ERROR(3100, UNAVAILABLE),

  ER_LOCK_WAIT_TIMEOUT(1205, CONTENTION),
  ER_LOCK_DEADLOCK(1213, CONTENTION),
  ER_QUERY_INTERRUPTED(1317, CONTENTION),
  ER_QUERY_TIMEOUT(3024, CONTENTION),
  ER_TRANSACTION_ROLLBACK_DURING_COMMIT(3101, CONTENTION),
  ER_LOCK_NOWAIT(3572, CONTENTION),

  ER_DUP_ENTRY(1062, FATAL),
  ER_DBACCESS_DENIED_ERROR(1044, FATAL, Advice.GRANT),
  ER_ACCESS_DENIED_ERROR(1045, FATAL, Advice.PASSWORD),
  ER_TABLEACCESS_DENIED_ERROR(1142, FATAL, Advice.GRANT),
  ER_COLUMNACCESS_DENIED_ERROR(1143, FATAL, Advice.GRANT),
  ER_SPECIFIC_ACCESS_DENIED_ERROR(1227, FATAL, Advice.GRANT),
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR(1698, FATAL, Advice.PASSWORD),
  ER_MUST_CHANGE_PASSWORD(1820, FATAL, Advice.PASSWORD),
  ER_MUST_CHANGE_PASSWORD_LOGIN(1862, FATAL, Advice.PASSWORD),
  ER_ACCOUNT_HAS_BEEN_LOCKED(3118, FATAL, Advice.PASSWORD),
  ER_SECURE_TRANSPORT_REQUIRED(3159, FATAL, Advice.TLS),
  ER_BAD_DB_ERROR(1049, FATAL, Advice.CREATE),
  ER_NO_SUCH_TABLE(1146, FATAL, Advice.CREATE),
  ER_NET_PACKET_TOO_LARGE(
      1153, FATAL, "raise max_allowed_packet on the server, or lower body.max.bytes"),
  ER_TRANS_CACHE_FULL(1197, FATAL, "raise max_binlog_cache_size on the server");

  private static final Map<Integer, KnownError> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(e -> e.code, Function.identity()));

  private static final Set<KnownError> WRITES =
      EnumSet.of(
          ER_DISK_FULL,
          ER_RECORD_FILE_FULL,
          ER_BINLOG_LOGGING_IMPOSSIBLE,
          ER_OPTION_PREVENTS_STATEMENT,
          ER_READ_ONLY_MODE,
          ER_INNODB_READ_ONLY,
          ER_RUN_HOOK_ERROR);

  private final int code;
  private final Verdict verdict;
  private final String advice;

  KnownError(int code, Verdict verdict) {
    this(code, verdict, "");
  }

  KnownError(int code, Verdict verdict, String advice) {
    this.code = code;
    this.verdict = verdict;
    this.advice = advice;
  }

  static Optional<KnownError> of(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }

  Verdict verdict() {
    return verdict;
  }

  /** What a person can do; empty if the error says it. */
  String advice() {
    return advice;
  }

  /** Whether another user, or the same with more rights or TLS, would have been served. */
  boolean isOfTheUser() {
    return Set.of(Advice.GRANT, Advice.PASSWORD, Advice.TLS).contains(advice);
  }

  /** Whether the same user with more rights would have been served. */
  boolean isOfRights() {
    return advice.equals(Advice.GRANT);
  }

  /** Whether a server says so that answers all the same, and only takes no writes. */
  boolean isOfWrites() {
    return WRITES.contains(this);
  }

  private static final class Advice {
    private static final String GRANT =
        "grant the MySQL user what it lacks: `cellmesh grants` prints what each role needs";
    private static final String PASSWORD = "look at mysql.user, its password and its account";
    private static final String TLS = "set mysql.ssl.mode to REQUIRED or stricter";
    private static final String CREATE =
        "create the instance with `cellmesh instance create --topology FILE`";
  }
}
