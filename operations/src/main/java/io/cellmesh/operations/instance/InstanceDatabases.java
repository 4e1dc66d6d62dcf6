package io.cellmesh.operations.instance;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Parallel;
import io.cellmesh.storage.Pools;
import java.time.Duration;

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

  /** Creates what is missing. */
  public static void create(
      Topology topology, Pools pools, InstanceSchema.CreationListener listener) throws Exception {
    var schema = new InstanceSchema(topology, pools);
    Parallel.forEach(topology.clusters(), cluster -> schema.create(cluster, listener));
  }
}
