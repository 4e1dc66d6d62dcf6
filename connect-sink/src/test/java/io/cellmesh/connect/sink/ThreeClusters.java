package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;

/** An instance on three storage clusters, for tests that reach no server. */
final class ThreeClusters {
  static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 64
          partitions: 16
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-31, epoch: 1, master: {url: "mysql://db1"}}
            - {name: c2, shards: 32-47, epoch: 1, master: {url: "mysql://db2"}}
            - {name: c3, shards: 48-63, epoch: 1, master: {url: "mysql://db3"}}
          """);

  private ThreeClusters() {}
}
