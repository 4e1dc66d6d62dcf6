package io.cellmesh.operations.log;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.topics.LogShape;
import java.util.List;

/**
 * The connector that writes one storage cluster's cells to the log.
 *
 * @param name in Connect
 * @param cluster whose binlog it reads
 * @param shape of the log that it writes
 * @param triggers columns that it also writes to a topic each: its setting {@code trigger.columns}
 * @param readFrom its setting {@code read.from}
 * @param server names its offset in Connect
 */
public record SourceConnector(
    String name,
    StorageCluster cluster,
    LogShape shape,
    List<String> triggers,
    String readFrom,
    String server) {

  public SourceConnector {
    triggers = List.copyOf(triggers);
  }

  /** What the source partition of a cluster's offset says. */
  static String server(Topology topology, String cluster) {
    return topology.instance() + "." + topology.datacenter() + "." + cluster;
  }
}
