package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.SharedMasters;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.SqlBufferStore;
import io.cellmesh.storage.SqlConflictLedger;
import io.cellmesh.storage.SqlPrimaryStore;
import java.util.List;

/** Real servers; each case has an instance of its own. */
class SqlStoresIT implements PrimaryStoreContract, BufferStoreContract {
  private static int instances;

  @Override
  public void with(Case one) throws Throwable {
    var there = SharedMasters.stack().topology("dc1");
    var topology =
        new Topology(
            "contract" + instances++,
            new Shards(6, 2),
            "dc1",
            List.of(
                cluster("c1", 0, there.clusters().get(0)),
                cluster("c2", 3, there.clusters().get(1))));
    var pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    for (var cluster : topology.clusters()) {
      new InstanceSchema(topology, pools).create(cluster, made -> {});
    }
    try (var nodes = new Nodes(pools)) {
      one.on(
          new Stores(
              topology,
              new SqlPrimaryStore(topology, nodes),
              new SqlBufferStore(topology, nodes),
              new SqlConflictLedger(topology, nodes)));
    }
  }

  private static StorageCluster cluster(String name, int first, StorageCluster servers) {
    return new StorageCluster(
        name, Stores.shards(first, first + 2), 1, servers.master(), servers.minions());
  }
}
