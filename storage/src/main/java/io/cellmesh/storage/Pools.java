package io.cellmesh.storage;

import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lazily filled connection pool for each server. Safe for any number of threads.
 *
 * <p>One thread of its own looks after all of them: it ends connections that rest. It asks no
 * server, so one that hangs keeps it from nothing. A pool has further threads only while it opens
 * or ends connections, and five seconds longer.
 *
 * <p>Sessions are in UTC, READ COMMITTED and strict mode, and count affected rather than found
 * rows, so that an insert that changed nothing counts as nothing.
 */
public final class Pools implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pools.class);

  private final Function<Server, Credentials> credentials;
  private final MySqlOptions options;
  private final ConcurrentHashMap<String, HikariDataSource> pools = new ConcurrentHashMap<>();
  private final Set<HikariDataSource> opened = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor housekeeper = housekeeper();

  public Pools(Credentials credentials) {
    this(credentials, MySqlOptions.DEFAULT);
  }

  /** As {@link #Pools(Function, MySqlOptions)}, with the usual options. */
  public Pools(Function<Server, Credentials> credentials) {
    this(credentials, MySqlOptions.DEFAULT);
  }

  public Pools(Credentials credentials, MySqlOptions options) {
    this(server -> credentials, options);
  }

  /**
   * @param credentials by server; asked once for each, when it is connected to first
   */
  public Pools(Function<Server, Credentials> credentials, MySqlOptions options) {
    this.credentials = credentials;
    this.options = options;
  }

  /**
   * A connection in auto-commit mode; closing it gives it back.
   *
   * @throws SQLException if none can be had within the connect timeout and half a second, or twice
   *     that while a server's first is neither there nor refused, or if the pools are closed
   */
  public Connection open(Server server) throws SQLException {
    return openPatiently(poolOf(server));
  }

  /**
   * Runs work on a connection in auto-commit mode, which is to be had within the connect timeout
   * and half a second. It goes back to the pool only if it is known to be clean: whatever ends the
   * work but its return or an error of MySQL's, and a transaction that is left open, close it.
   */
  <T> T use(Server server, ConnectionCallback<T> work) throws SQLException {
    var pool = poolOf(server);
    return use(pool, open(pool), work);
  }

  private static <T> T use(HikariDataSource pool, Connection connection, ConnectionCallback<T> work)
      throws SQLException {
    boolean answered = false;
    try {
      T result = work.run(connection);
      answered = true;
      return result;
    } catch (SQLException e) {
      answered = true;
      throw e;
    } finally {
      giveBack(pool, connection, answered && !inTransaction(connection));
    }
  }

  /**
   * Runs work on a connection as {@link #open} has them.
   *
   * @throws ServerFailure for every error, with its state and code
   */
  public <T> T ask(Server server, ConnectionCallback<T> work) throws ServerFailure {
    try {
      var pool = poolOf(server);
      return use(pool, openPatiently(pool), work);
    } catch (SQLException e) {
      throw new ServerFailure(server, e);
    }
  }

  /**
   * As {@link #ask}, for what has no result.
   *
   * @throws ServerFailure for every error, with its state and code
   */
  public void run(Server server, ConnectionAction action) throws ServerFailure {
    ask(server, ConnectionCallback.of(action));
  }

  /** Most connections to one server. */
  public int size() {
    return options.poolSize();
  }

  /** Ends all connections and threads; nothing can be opened any more. */
  @Override
  public void close() {
    closeAll();
    housekeeper.shutdownNow();
    // One that was made meanwhile; from now on none can be.
    closeAll();
  }

  private void closeAll() {
    pools.values().forEach(HikariDataSource::close);
    pools.clear();
    opened.clear();
  }

  private HikariDataSource poolOf(Server server) throws SQLException {
    try {
      return pools.computeIfAbsent(server.address(), address -> pool(server));
    } catch (RejectedExecutionException e) {
      throw new SQLNonTransientConnectionException("the pools are closed", "08003", e);
    }
  }

  private static ScheduledThreadPoolExecutor housekeeper() {
    var housekeeper =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, "cellmesh-pools");
              thread.setDaemon(true);
              return thread;
            });
    // Each connection has the end of its life noted there, which mostly comes earlier.
    housekeeper.setRemoveOnCancelPolicy(true);
    return housekeeper;
  }

  private Connection open(HikariDataSource pool) throws SQLException {
    try {
      var connection = pool.getConnection();
      opened.add(pool);
      return connection;
    } catch (SQLTransientConnectionException e) {
      if (pool.getHikariPoolMXBean().getActiveConnections() >= options.poolSize()) {
        throw new PoolFullException(options.poolSize(), e);
      }
      throw e;
    }
  }

  /**
   * A process that has just begun may take longer than that to load the driver and what TLS needs,
   * while all its neighbours begin as well: then the first attempt goes on, and has not failed.
   */
  private Connection openPatiently(HikariDataSource pool) throws SQLException {
    try {
      return open(pool);
    } catch (SQLTransientConnectionException e) {
      if (e.getCause() != null || opened.contains(pool)) {
        throw e;
      }
      return open(pool);
    }
  }

  private static void giveBack(HikariDataSource pool, Connection connection, boolean clean) {
    if (!clean) {
      pool.evictConnection(connection);
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool has thrown it away; what the work did stays as it is.
      LOG.debug("a connection could not be given back: {}", e.getMessage());
    }
  }

  /** By what the server said with its last answer, which costs nothing to look at. */
  private static boolean inTransaction(Connection connection) {
    try {
      return connection
          .unwrap(JdbcConnection.class)
          .getSession()
          .getServerSession()
          .inTransactionOnServer();
    } catch (SQLException | RuntimeException e) {
      // Lost: the pool closes it by itself, too.
      return true;
    }
  }

  private HikariDataSource pool(Server server) {
    var config = new HikariConfig();
    config.setPoolName("cellmesh-" + server.address());
    config.setJdbcUrl("jdbc:mysql://" + server.address() + "/");
    var signOn = credentials.apply(server);
    config.setUsername(signOn.user());
    config.setPassword(signOn.password());
    config.setMaximumPoolSize(options.poolSize());
    config.setMinimumIdle(0);
    config.setIdleTimeout(10_000);
    config.setScheduledExecutor(housekeeper);
    // What rests ends, so nothing is to be kept alive; asking a server would hold up all pools.
    config.setKeepaliveTime(0);
    config.setConnectionTimeout(Math.max(250, options.connectTimeout().toMillis() + 500));
    config.setValidationTimeout(Math.max(250, options.connectTimeout().toMillis()));
    config.setInitializationFailTimeout(-1);
    config.addDataSourceProperty("connectTimeout", millis(options.connectTimeout().toMillis()));
    config.addDataSourceProperty("socketTimeout", millis(options.socketTimeout().toMillis()));
    protect(config, signOn.tls());
    config.addDataSourceProperty("allowPublicKeyRetrieval", "false");
    config.addDataSourceProperty("allowLoadLocalInfile", "false");
    config.addDataSourceProperty("useAffectedRows", "true");
    config.addDataSourceProperty("allowMultiQueries", Boolean.toString(options.multiStatements()));
    config.addDataSourceProperty("connectionTimeZone", "UTC");
    config.addDataSourceProperty("characterEncoding", "UTF-8");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("cacheServerConfiguration", "true");
    config.addDataSourceProperty("elideSetAutoCommits", "true");
    config.addDataSourceProperty("useLocalSessionState", "true");
    config.addDataSourceProperty(
        "sessionVariables",
        "time_zone='+00:00',transaction_isolation='READ-COMMITTED',"
            + "sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE',"
            + "wait_timeout="
            + options.idle().toSeconds()
            + ",innodb_lock_wait_timeout="
            + options.lockWait().toSeconds());
    return new HikariDataSource(config);
  }

  private static void protect(HikariConfig config, MySqlTls tls) {
    config.addDataSourceProperty("sslMode", tls.mode().name());
    tls.trustStore()
        .ifPresent(
            file -> {
              config.addDataSourceProperty(
                  "trustCertificateKeyStoreUrl", file.toAbsolutePath().toUri().toString());
              config.addDataSourceProperty(
                  "trustCertificateKeyStorePassword", tls.trustStorePassword());
            });
  }

  private static String millis(long value) {
    return Long.toString(value);
  }
}
