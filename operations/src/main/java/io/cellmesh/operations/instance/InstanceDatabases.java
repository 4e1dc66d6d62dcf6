package io.cellmesh.operations.instance;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Parallel;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ServerFailure;
import io.cellmesh.storage.TopologyTable;
import io.cellmesh.storage.replication.Replication;
import io.cellmesh.storage.replication.ServerRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The databases of an instance on all clusters of a data centre at once. */
public final class InstanceDatabases {
  /**
   * How to connect for it. A server has enough of statements that wait for its disks with eight of
   * them.
   */
  public static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          8);

  private InstanceDatabases() {}

  /**
   * Opens masters that have started read-only, as all servers are to start, and on which there is
   * no instance yet: nobody can have promoted another one meanwhile. All are looked at before the
   * first is opened; those that have the instance are left as they are.
   *
   * @return what was opened
   * @throws OperationException if one that still lacks the instance has a minion that answers and
   *     has it, follows another server, or is read-only and has an instance, which only a promotion
   *     may open
   */
  public static List<StorageCluster> openNewMasters(Topology topology, Pools pools)
      throws ServerFailure {
    var closed = new ArrayList<StorageCluster>();
    for (var cluster : topology.clusters()) {
      var master = cluster.master();
      if (pools.ask(master, connection -> InstanceTable.exists(connection, topology))) {
        continue;
      }
      requireNewToMinions(topology, cluster, pools);
      var role = pools.ask(master, ServerRole::of);
      if (role.isReplica()) {
        throw OperationException.invalid(
            "%s, which the topology calls the master of %s, follows %s: name that one as the master, or let this one follow nobody"
                .formatted(
                    master.address(), cluster.name(), role.following().orElseThrow().address()));
      }
      if (!role.open()) {
        if (pools.ask(master, InstanceTable::isAnyBegun)) {
          throw OperationException.unavailable(
              "%s, the master of %s, is read-only, and has databases of an instance: `cellmesh promote --cluster %s --to %s` with that instance's topology opens it if it still is the master"
                  .formatted(master.address(), cluster.name(), cluster.name(), master.address()));
        }
        closed.add(cluster);
      }
    }
    for (var cluster : closed) {
      pools.run(cluster.master(), Replication::open);
    }
    return closed;
  }

  /** An empty server in a lost master's place would become one that lacks every cell. */
  private static void requireNewToMinions(Topology topology, StorageCluster cluster, Pools pools) {
    for (var minion : cluster.minions()) {
      boolean hasInstance;
      try {
        hasInstance = pools.ask(minion, connection -> InstanceTable.exists(connection, topology));
      } catch (ServerFailure e) {
        // One that is not up yet, or not set up, belongs to a cluster that is being made.
        continue;
      }
      if (hasInstance) {
        throw OperationException.refused(
            "%s, the master of %s, lacks the instance, and its minion %s has it: `cellmesh promote --cluster %s --to %s`"
                .formatted(
                    cluster.master().address(),
                    cluster.name(),
                    minion.address(),
                    cluster.name(),
                    minion.address()));
      }
    }
  }

  /** Creates what is missing. */
  public static void create(
      Topology topology, Pools pools, InstanceSchema.CreationListener listener) throws Exception {
    var schema = new InstanceSchema(topology, pools);
    var table = new TopologyTable(topology);
    Parallel.forEach(
        topology.clusters(),
        cluster -> {
          schema.create(cluster, listener);
          pools.run(cluster.master(), connection -> table.put(connection, topology));
        });
  }
}
