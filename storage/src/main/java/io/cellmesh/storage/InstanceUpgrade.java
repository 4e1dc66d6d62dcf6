package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Brings the tables that an older version of the product made to the present, on a cluster's
 * master, whence the statements reach its minions. A step may find some of its work done, since
 * MySQL has no transactions for it; the version is written down when a step is complete. So an
 * interrupted upgrade goes on where it was, and one that is done does nothing.
 */
public final class InstanceUpgrade {
  /** Two upgrades of one server at a time would be in each other's way. */
  private static final String LOCK = "cellmesh_upgrade";

  private static final List<Step> STEPS =
      List.of(new Step(2, "a ledger of conflicts, and the version itself", InstanceUpgrade::two));

  private final Topology topology;

  public InstanceUpgrade(Topology topology) {
    this.topology = topology;
  }

  /**
   * What leads to a version from the one before it.
   *
   * @param brings in words, for a person
   */
  public record Step(int version, String brings, Statements statements) {}

  /** The statements of a step. */
  @FunctionalInterface
  interface Statements {
    void run(Connection connection, Topology topology) throws SQLException;
  }

  /**
   * The steps that a cluster's tables still lack, in their order; empty if they are up to date.
   *
   * @throws TopologyMismatchException if the instance was never created there
   * @throws SchemaVersionException if the tables are newer than this program
   */
  public List<Step> missing(Connection connection, StorageCluster cluster) throws SQLException {
    InstanceTable.requireCreated(connection, topology, cluster);
    var found = InstanceTable.version(connection, topology);
    if (found.number() > SchemaVersion.CURRENT) {
      InstanceTable.requireVersion(connection, topology, cluster);
    }
    return STEPS.stream().filter(step -> step.version() > found.number()).toList();
  }

  /**
   * Takes the steps that are missing.
   *
   * @param done told each step when it is complete
   * @throws SQLException also if the server is read-only, or another upgrade runs on it
   */
  public void run(Connection connection, StorageCluster cluster, Consumer<Step> done)
      throws SQLException {
    lock(connection);
    try {
      for (var step : missing(connection, cluster)) {
        step.statements().run(connection, topology);
        InstanceTable.setVersion(connection, topology, step.version());
        done.accept(step);
      }
    } finally {
      release(connection);
    }
  }

  private static void two(Connection connection, Topology topology) throws SQLException {
    execute(connection, "USE " + Names.metaDatabase(topology.instance()));
    execute(connection, ConflictTable.CREATE_TABLE);
    if (!InstanceTable.tellsVersion(connection, topology)) {
      execute(
          connection,
          "ALTER TABLE instance ADD COLUMN schema_version INT UNSIGNED NOT NULL DEFAULT 1,"
              + " ADD COLUMN made_by VARCHAR(64) NOT NULL DEFAULT ''");
    }
  }

  private static void lock(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT GET_LOCK('" + LOCK + "', 0)")) {
      row.next();
      if (row.getInt(1) != 1) {
        throw new SQLException("another `cellmesh instance upgrade` is at work on this server");
      }
    }
  }

  private static void release(Connection connection) {
    try {
      execute(connection, "DO RELEASE_LOCK('" + LOCK + "')");
    } catch (SQLException e) {
      // The connection is lost, and the lock with it; what came before tells more.
      return;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
