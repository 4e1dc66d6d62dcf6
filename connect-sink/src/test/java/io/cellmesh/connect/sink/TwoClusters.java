package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;

/** An instance on two storage clusters, for tests that reach no server. */
public final class TwoClusters {
  public static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 64
          partitions: 16
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-31, epoch: 1, master: {url: "mysql://db1"}}
            - {name: c2, shards: 32-63, epoch: 1, master: {url: "mysql://db2"}}
          """);

  /** Two on which nobody listens, in a failure domain each, as they stand in a connector's file. */
  static final String UNREACHABLE =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-31, epoch: 1, master: {url: "mysql://127.0.0.1:1", domain: rack1}}
        - {name: c2, shards: 32-63, epoch: 1, master: {url: "mysql://127.0.0.1:2", domain: rack2}}
      """;

  private TwoClusters() {}
}
