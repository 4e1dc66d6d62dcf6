package io.cellmesh.e2e.log;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.storage.EntityScan;
import java.sql.SQLException;

/** The entity tables, by added_id: what the log has to say by first occurrence. */
final class EntityRows {
  private EntityRows() {}

  /** All shards of the stack's instance, from the masters. */
  static Shardwise of(FaultStack stack) throws SQLException {
    var rows = new Shardwise();
    for (var cluster : stack.topology().clusters()) {
      add(rows, stack.topology(), cluster, stack.master(cluster.name()));
    }
    return rows;
  }

  /** The shards of one cluster, from one of its servers. */
  static Shardwise of(Topology topology, StorageCluster cluster, MySqlServer server)
      throws SQLException {
    var rows = new Shardwise();
    add(rows, topology, cluster, server);
    return rows;
  }

  private static void add(
      Shardwise rows, Topology topology, StorageCluster cluster, MySqlServer server)
      throws SQLException {
    try (var connection = server.connect()) {
      for (int shard : cluster.shards().stream().toArray()) {
        EntityScan.scan(connection, topology, shard, 0, row -> rows.add(shard, Entry.of(row)));
      }
    }
  }
}
