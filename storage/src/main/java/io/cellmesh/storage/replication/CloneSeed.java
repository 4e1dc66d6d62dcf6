package io.cellmesh.storage.replication;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a server's data those of another one, with MySQL's clone plugin: online, users and GTIDs
 * included. Both must be of one version and platform.
 */
public final class CloneSeed {
  private static final int NOT_SUPERVISED = 3707;
  private static final String CONNECTION_LOST = "08";

  private CloneSeed() {}

  /**
   * Lets a server take part in a clone; one that has the plugin is left as it is.
   *
   * @throws SQLException also if this MySQL has no such plugin
   */
  public static void prepare(Connection server) throws SQLException {
    try (var statement = server.createStatement()) {
      try (var rows =
          statement.executeQuery(
              "SELECT 1 FROM information_schema.plugins WHERE plugin_name = 'clone' AND plugin_status = 'ACTIVE'")) {
        if (rows.next()) {
          return;
        }
      }
      boolean closed;
      try (var row = statement.executeQuery("SELECT @@GLOBAL.super_read_only")) {
        row.next();
        closed = row.getBoolean(1);
      }
      // The plugin is noted in a table of the server's own, which no binlog has.
      statement.execute("SET GLOBAL super_read_only = OFF");
      try {
        statement.execute("INSTALL PLUGIN clone SONAME 'mysql_clone.so'");
      } finally {
        if (closed) {
          statement.execute("SET GLOBAL super_read_only = ON");
        }
      }
    }
  }

  /** What a server holds that a clone would delete: its databases without MySQL's own. */
  public static List<String> databases(Connection server) throws SQLException {
    try (var statement = server.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT schema_name FROM information_schema.schemata WHERE schema_name NOT IN"
                    + " ('mysql', 'sys', 'information_schema', 'performance_schema') ORDER BY 1")) {
      var databases = new ArrayList<String>();
      while (rows.next()) {
        databases.add(rows.getString(1));
      }
      return databases;
    }
  }

  /**
   * Replaces everything that the server at the other end has. It ends with the server's restart;
   * one that nobody supervises only stops. Where it fails nobody can write to the server.
   *
   * @param credentials of a user on the donor with BACKUP_ADMIN
   */
  public static void run(Connection server, Server donor, Credentials credentials)
      throws SQLException {
    // However long it takes: the server itself gives up on a donor that does not answer.
    server.setNetworkTimeout(Runnable::run, 0);
    Replication.open(server);
    try (var donors = server.prepareStatement("SET GLOBAL clone_valid_donor_list = ?");
        var clone = server.prepareStatement("CLONE INSTANCE FROM ?@?:? IDENTIFIED BY ?")) {
      donors.setString(1, donor.address());
      donors.execute();
      clone.setString(1, credentials.user());
      clone.setString(2, donor.host());
      clone.setInt(3, donor.port());
      clone.setString(4, credentials.password());
      clone.execute();
    } catch (SQLException e) {
      boolean restarts =
          e.getErrorCode() == NOT_SUPERVISED
              || (e.getSQLState() != null && e.getSQLState().startsWith(CONNECTION_LOST));
      if (!restarts) {
        close(server, e);
        throw e;
      }
    }
  }

  /** What failed to become a minion may be an old master, whose writers would find it open. */
  private static void close(Connection server, SQLException failure) {
    try {
      Replication.close(server);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
