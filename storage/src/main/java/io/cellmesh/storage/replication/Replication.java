package io.cellmesh.storage.replication;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes who follows whom. Each call may be repeated: it leaves a server that is as it should be
 * as it is.
 */
public final class Replication {
  /** As long as another session may hold what a change of the role waits for. */
  private static final int LOCK_WAIT_SECONDS = 5;

  /** Somewhat longer than the minute that MySQL may take. */
  private static final int STOP_MILLIS = 90_000;

  private Replication() {}

  /** The minion takes nothing more from its master; what it has received it goes on applying. */
  public static void stopReceiving(Connection minion) throws SQLException {
    execute(minion, "STOP REPLICA IO_THREAD");
  }

  /** Lets a minion take from its master what it lacks. */
  public static void receive(Connection minion) throws SQLException {
    execute(minion, "START REPLICA");
  }

  /** Lets a minion apply what it has received, and take nothing more. */
  public static void apply(Connection minion) throws SQLException {
    execute(minion, "START REPLICA SQL_THREAD");
  }

  /**
   * The minion follows nobody any more. What it has received and not applied is gone. Takes up to a
   * minute where its master was lost in the middle of sending a transaction.
   */
  public static void detach(Connection minion) throws SQLException {
    stop(minion);
    execute(minion, "RESET REPLICA ALL");
  }

  /**
   * Makes a server follow a master from where it stands, by GTID. A lost master is asked for again
   * every second, for ever.
   *
   * <p>It verifies the master as strictly as commands verify servers. The CA is a file of the
   * minion's machine: the one that it has verified its master with so far, else its own {@code
   * ssl_ca}.
   *
   * @param credentials to sign on to the master with; empty to keep those that it has
   * @param mode how connections to MySQL are protected
   * @throws SQLException also if it is to verify its master and knows no CA
   */
  public static void follow(
      Connection minion, Server master, Optional<Credentials> credentials, MySqlTls.Mode mode)
      throws SQLException {
    var ca = mode.verifies() ? certificateAuthority(minion) : "";
    stop(minion);
    var values = new ArrayList<Object>(List.of(master.host(), master.port()));
    var sql =
        new StringBuilder(
            """
            CHANGE REPLICATION SOURCE TO SOURCE_HOST = ?, SOURCE_PORT = ?, SOURCE_AUTO_POSITION = 1,
              SOURCE_CONNECT_RETRY = 1, SOURCE_RETRY_COUNT = 4294967295, SOURCE_HEARTBEAT_PERIOD = 1,
              GET_SOURCE_PUBLIC_KEY = 1""");
    if (credentials.isPresent()) {
      sql.append(", SOURCE_USER = ?, SOURCE_PASSWORD = ?");
      values.add(credentials.get().user());
      values.add(credentials.get().password());
    }
    if (mode.encrypts()) {
      sql.append(", SOURCE_SSL = 1");
    }
    if (mode.verifies()) {
      sql.append(", SOURCE_SSL_CA = ?, SOURCE_SSL_VERIFY_SERVER_CERT = ?");
      values.add(ca);
      values.add(mode == MySqlTls.Mode.VERIFY_IDENTITY ? 1 : 0);
    }
    try (var change = minion.prepareStatement(sql.toString())) {
      for (int i = 0; i < values.size(); i++) {
        change.setObject(i + 1, values.get(i));
      }
      change.execute();
    }
    execute(minion, "START REPLICA");
  }

  /**
   * A replica that has begun to apply a transaction waits for the rest of it for 60 s before it
   * stops (SLAVE_WAIT_GROUP_DONE in MySQL's rpl_replica.cc), although nobody will send that.
   */
  private static void stop(Connection minion) throws SQLException {
    int patience = minion.getNetworkTimeout();
    minion.setNetworkTimeout(Runnable::run, Math.max(patience, STOP_MILLIS));
    try {
      execute(minion, "STOP REPLICA");
    } finally {
      minion.setNetworkTimeout(Runnable::run, patience);
    }
  }

  private static String certificateAuthority(Connection minion) throws SQLException {
    try (var statement = minion.createStatement()) {
      try (var rows = statement.executeQuery("SHOW REPLICA STATUS")) {
        if (rows.next() && !rows.getString("Source_SSL_CA_File").isEmpty()) {
          return rows.getString("Source_SSL_CA_File");
        }
      }
      try (var rows = statement.executeQuery("SELECT COALESCE(@@global.ssl_ca, '')")) {
        rows.next();
        if (!rows.getString(1).isEmpty()) {
          return rows.getString(1);
        }
      }
    }
    throw new SQLException(
        "it is to verify its master and knows no CA: set ssl_ca there, or STOP REPLICA and CHANGE REPLICATION SOURCE TO SOURCE_SSL_CA = '…'");
  }

  /** Lets clients write. */
  public static void open(Connection server) throws SQLException {
    execute(server, "SET GLOBAL super_read_only = OFF");
    execute(server, "SET GLOBAL read_only = OFF");
  }

  /** Lets administrators write, and nobody else. */
  public static void openForAdministrators(Connection server) throws SQLException {
    patiently(server, "SET GLOBAL read_only = ON");
    execute(server, "SET GLOBAL super_read_only = OFF");
  }

  /** Lets nobody write; replication goes on. */
  public static void close(Connection server) throws SQLException {
    patiently(server, "SET GLOBAL super_read_only = ON");
  }

  /**
   * Closes a server in the middle of its work: transactions under way are ended with their
   * connections, and who comes back is refused. Reading and replication go on. A session of an
   * account with SYSTEM_USER goes on, unless this one has that, too; its commit is refused.
   *
   * @throws SQLException also if something stands in the way for longer than 5 s
   */
  public static void fence(Connection server) throws SQLException {
    endTransactions(server);
    close(server);
    endTransactions(server);
  }

  private static void endTransactions(Connection server) throws SQLException {
    try (var statement = server.createStatement();
        var rows =
            statement.executeQuery(
                // Appliers are no clients, and who only reads is no writer.
                "SELECT t.trx_mysql_thread_id FROM information_schema.innodb_trx t"
                    + " JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id"
                    + " WHERE t.trx_lock_structs > 0 AND p.id <> CONNECTION_ID()"
                    + " AND p.user <> 'system user'")) {
      while (rows.next()) {
        kill(server, rows.getLong(1));
      }
    }
  }

  private static void kill(Connection server, long session) throws SQLException {
    final int noSuchThread = 1094;
    final int moreMighty = 1095;
    try {
      execute(server, "KILL " + session);
    } catch (SQLException e) {
      if (e.getErrorCode() != noSuchThread && e.getErrorCode() != moreMighty) {
        throw e;
      }
    }
  }

  private static void patiently(Connection server, String sql) throws SQLException {
    execute(server, "SET SESSION lock_wait_timeout = " + LOCK_WAIT_SECONDS);
    execute(server, sql);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
