package io.cellmesh.operations.mesh;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;

/**
 * What peers' cells stand in the mesh topics of data centres that their sinks have not passed:
 * links bring no more than a window beyond that.
 */
public final class SinkBacklog {
  private SinkBacklog() {}

  /**
   * Such cells by data centre; one that does not answer, or whose brokers are unknown, has none.
   */
  public static Map<String, Long> of(Deployment deployment) throws InterruptedException {
    var backlogs = new TreeMap<String, Long>();
    for (var dc : deployment.datacenters()) {
      if (dc.knowsKafka()) {
        try {
          backlogs.put(dc.name(), of(dc));
        } catch (KafkaException e) {
          // Whoever compares data centres has said so.
          backlogs.remove(dc.name());
        }
      }
    }
    return backlogs;
  }

  private static long of(DataCenter dc) throws InterruptedException {
    var topics = dc.topology().topics();
    try (var admin = Consumers.admin(dc.kafka());
        var client = Consumers.open(dc.kafka())) {
      return GroupLag.of(
          GroupLag.committed(admin, InstanceNames.cellSink(topics.instance())),
          TopicOffsets.of(client, topics.mesh()));
    }
  }
}
