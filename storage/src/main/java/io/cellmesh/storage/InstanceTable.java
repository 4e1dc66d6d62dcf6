package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;

/** What was fixed when the instance was created on a cluster (invariant 1). */
public final class InstanceTable {
  private InstanceTable() {}

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
   * Compares the topology with the database.
   *
   * @throws TopologyMismatchException naming the setting and the value to restore
   */
  public static void check(Connection connection, Topology topology, StorageCluster cluster)
      throws SQLException {
    if (!exists(connection, topology)) {
      throw new TopologyMismatchException(
          "instance %s was never created on cluster %s (%s), or this user may not see it; create it with `cellmesh instance create --topology FILE`, or run what `cellmesh grants` prints"
              .formatted(topology.instance(), cluster.name(), cluster.master().address()));
    }
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

  static void insert(Connection connection, Topology topology, StorageCluster cluster)
      throws SQLException {
    try (var insert =
        connection.prepareStatement(
            "INSERT INTO "
                + table(topology)
                + " (name, shards, partitions, datacenter, cluster, created_gtids, created_at)"
                + " VALUES (?, ?, ?, ?, ?, @@global.gtid_executed, UTC_TIMESTAMP(6))")) {
      insert.setString(1, topology.instance());
      insert.setInt(2, topology.shards().count());
      insert.setInt(3, topology.shards().partitions());
      insert.setString(4, topology.datacenter());
      insert.setString(5, cluster.name());
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

  private static String table(Topology topology) {
    return Names.metaDatabase(topology.instance()) + ".instance";
  }
}
