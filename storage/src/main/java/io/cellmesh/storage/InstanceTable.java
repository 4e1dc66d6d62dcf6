package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** What was fixed when the instance was created on a cluster (invariant 1). */
public final class InstanceTable {
  private InstanceTable() {}

  /** Whether there is an instance on the cluster of this connection, or one was begun. */
  public static boolean isAnyBegun(Connection connection) throws SQLException {
    try (var query = connection.createStatement();
        var rows =
            query.executeQuery(
                "SELECT 1 FROM information_schema.tables"
                    + " WHERE table_name = 'epoch' AND table_schema LIKE '%\\_meta' LIMIT 1")) {
      return rows.next();
    }
  }

  /** Whether the instance was created on the cluster of this connection. */
  public static boolean exists(Connection connection, Topology topology) throws SQLException {
    try (var query =
        connection.prepareStatement(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'instance'")) {
      query.setString(1, Names.metaDatabase(topology.instance()));
      try (var rows = query.executeQuery()) {
        if (!rows.next()) {
          return false;
        }
      }
    }
    try (var query =
        connection.prepareStatement("SELECT 1 FROM " + table(topology) + " WHERE name = ?")) {
      query.setString(1, topology.instance());
      try (var rows = query.executeQuery()) {
        return rows.next();
      }
    }
  }

  /**
   * Compares the topology, and the version of tables that this program knows, with the database.
   *
   * @throws TopologyMismatchException naming the setting and the value to restore
   * @throws SchemaVersionException saying what to upgrade
   */
  public static void check(Connection connection, Topology topology, StorageCluster cluster)
      throws SQLException {
    requireCreated(connection, topology, cluster);
    requireVersion(connection, topology, cluster);
    try (var query =
        connection.prepareStatement(
            "SELECT shards, partitions, datacenter, cluster FROM "
                + table(topology)
                + " WHERE name = ?")) {
      query.setString(1, topology.instance());
      try (var rows = query.executeQuery()) {
        rows.next();
        same("shards", topology.shards().count(), rows.getInt(1), cluster);
        same("partitions", topology.shards().partitions(), rows.getInt(2), cluster);
        same("datacenter", topology.datacenter(), rows.getString(3), cluster);
        same("clusters.name", cluster.name(), rows.getString(4), cluster);
      }
    }
  }

  /**
   * @throws TopologyMismatchException if the instance is not there
   */
  static void requireCreated(Connection connection, Topology topology, StorageCluster cluster)
      throws SQLException {
    if (!exists(connection, topology)) {
      throw new TopologyMismatchException(
          "instance %s was never created on cluster %s (%s), or this user may not see it; create it with `cellmesh instance create --topology FILE`, or run what `cellmesh grants` prints"
              .formatted(topology.instance(), cluster.name(), cluster.master().address()));
    }
  }

  /**
   * Compares the version of tables that this program knows with the database.
   *
   * @throws SchemaVersionException saying what to upgrade
   */
  public static void requireVersion(
      Connection connection, Topology topology, StorageCluster cluster) throws SQLException {
    version(connection, topology)
        .require(
            "instance %s on cluster %s (%s)"
                .formatted(topology.instance(), cluster.name(), cluster.master().address()));
  }

  /** The version of the instance's tables, which are there. */
  static SchemaVersion version(Connection connection, Topology topology) throws SQLException {
    // All columns, since the first tables have none for the version.
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT i.* FROM " + table(topology) + " i")) {
      return hasVersion(row.getMetaData()) && row.next()
          ? new SchemaVersion(row.getInt("schema_version"), row.getString("made_by"))
          : SchemaVersion.FIRST;
    }
  }

  /** Whether the tables tell their version. */
  static boolean tellsVersion(Connection connection, Topology topology) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT i.* FROM " + table(topology) + " i LIMIT 0")) {
      return hasVersion(row.getMetaData());
    }
  }

  private static boolean hasVersion(ResultSetMetaData columns) throws SQLException {
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      if (columns.getColumnName(i).equals("schema_version")) {
        return true;
      }
    }
    return false;
  }

  /** Notes that the tables have a version, and that this program brought them there. */
  static void setVersion(Connection connection, Topology topology, int version)
      throws SQLException {
    try (var update =
        connection.prepareStatement(
            "UPDATE " + table(topology) + " SET schema_version = ?, made_by = ?")) {
      update.setInt(1, version);
      update.setString(2, SchemaVersion.product());
      update.executeUpdate();
    }
  }

  /**
   * Notes that the instance is there. Of two who create it at once the later finds the row of the
   * other, who has made the same tables.
   *
   * @throws TopologyMismatchException if the other's has other fixed values
   */
  static void insert(Connection connection, Topology topology, StorageCluster cluster)
      throws SQLException {
    try {
      write(connection, topology, cluster);
    } catch (SQLException e) {
      if (!MySqlErrors.isDuplicate(e)) {
        throw e;
      }
      check(connection, topology, cluster);
    }
  }

  private static void write(Connection connection, Topology topology, StorageCluster cluster)
      throws SQLException {
    try (var insert =
        connection.prepareStatement(
            "INSERT INTO "
                + table(topology)
                + " (name, shards, partitions, datacenter, cluster, created_gtids, created_at,"
                + " schema_version, made_by)"
                + " VALUES (?, ?, ?, ?, ?, @@global.gtid_executed, UTC_TIMESTAMP(6), ?, ?)")) {
      insert.setString(1, topology.instance());
      insert.setInt(2, topology.shards().count());
      insert.setInt(3, topology.shards().partitions());
      insert.setString(4, topology.datacenter());
      insert.setString(5, cluster.name());
      insert.setInt(6, SchemaVersion.CURRENT);
      insert.setString(7, SchemaVersion.product());
      insert.executeUpdate();
    }
  }

  private static void same(String setting, Object asked, Object stored, StorageCluster cluster) {
    if (!asked.equals(stored)) {
      throw new TopologyMismatchException(
          "%s is fixed when an instance is created: cluster %s (%s) has %s, the topology says %s; restore `%s: %s`"
              .formatted(
                  setting,
                  cluster.name(),
                  cluster.master().address(),
                  stored,
                  asked,
                  setting,
                  stored));
    }
  }

  static String table(Topology topology) {
    return Names.metaDatabase(topology.instance()) + ".instance";
  }
}
