package io.cellmesh.storage;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;

/** An instance on one storage cluster, for tests that reach no server. */
public final class OneCluster {
  public static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://db1:3306"}}
          """);

  private OneCluster() {}
}
