package io.cellmesh.storage.replication;

import io.cellmesh.cell.GtidSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What a server is and has, as it said itself.
 *
 * @param uuid its {@code server_uuid}, which the GTIDs of what it commits first begin with
 * @param executed the transactions that it has committed
 * @param readOnly whether it takes no writes of ordinary users
 * @param superReadOnly whether it takes none at all but those of its master
 * @param following whom it replicates; empty for a master, and for a minion cut off for good
 */
public record ServerRole(
    String uuid,
    GtidSet executed,
    boolean readOnly,
    boolean superReadOnly,
    Optional<Following> following) {

  /**
   * A minion's side of a replication.
   *
   * @param receives whether it takes transactions from its master, or tries to
   * @param connected whether its master has let it in
   * @param applies whether it commits what it has received
   * @param retrieved the transactions that it has received
   * @param refusal why it can't receive; empty if it can, or was told not to
   * @param error why it does not apply; empty if it does, or was told not to
   */
  public record Following(
      String host,
      int port,
      boolean receives,
      boolean connected,
      boolean applies,
      GtidSet retrieved,
      String refusal,
      String error) {
    public String address() {
      return host + ":" + port;
    }

    /** Whether it gets what its master commits, and commits it. */
    public boolean works() {
      return connected && applies;
    }
  }

  /** Asks a server. */
  public static ServerRole of(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      // What is received becomes executed: asked for in this order nothing is missing in both.
      var following = following(connection);
      try (var row =
          statement.executeQuery(
              "SELECT @@server_uuid, @@GLOBAL.gtid_executed, @@GLOBAL.read_only,"
                  + " @@GLOBAL.super_read_only")) {
        row.next();
        return new ServerRole(
            row.getString(1),
            GtidSet.parse(row.getString(2)),
            row.getBoolean(3),
            row.getBoolean(4),
            following);
      }
    }
  }

  private static Optional<Following> following(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SHOW REPLICA STATUS")) {
      if (!row.next()) {
        return Optional.empty();
      }
      return Optional.of(
          new Following(
              row.getString("Source_Host"),
              row.getInt("Source_Port"),
              !"No".equals(row.getString("Replica_IO_Running")),
              "Yes".equals(row.getString("Replica_IO_Running")),
              "Yes".equals(row.getString("Replica_SQL_Running")),
              GtidSet.parse(row.getString("Retrieved_Gtid_Set")),
              row.getString("Last_IO_Error"),
              row.getString("Last_SQL_Error")));
    }
  }

  /** Whether clients may write to it. */
  public boolean open() {
    return !readOnly;
  }

  public boolean isReplica() {
    return following.isPresent();
  }

  /** What it has committed or can still commit by itself. */
  public GtidSet has() {
    return following.map(f -> executed.with(f.retrieved())).orElse(executed);
  }

  /**
   * What it once committed itself and lacks: it was restored from a backup. It can't get that by
   * following: MySQL's receiver passes over events with the server_id of its own server, goes on
   * behind them, and reports no error.
   *
   * @param others transactions of its cluster
   */
  public GtidSet lost(GtidSet others) {
    return others.of(uuid).without(has());
  }

  /** What it has received and not yet committed. */
  public GtidSet unapplied() {
    return has().without(executed);
  }
}
