package io.cellmesh.operations.log;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.topics.LogShape;

/**
 * The connector that writes one storage cluster's cells to the log.
 *
 * @param name in Connect
 * @param cluster whose binlog it reads
 * @param shape of the log that it writes
 * @param readFrom its setting {@code read.from}
 * @param server names its offset in Connect
 */
public record SourceConnector(
    String name, StorageCluster cluster, LogShape shape, String readFrom, String server) {

  /** What the source partition of a cluster's offset says. */
  static String server(Topology topology, String cluster) {
    return topology.instance() + "." + topology.datacenter() + "." + cluster;
  }
}
