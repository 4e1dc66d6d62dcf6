package io.cellmesh.operations.mesh;

import io.cellmesh.deployment.DataCenter;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How far a data centre has the cells of an origin.
 *
 * @param last of each shard in turn the highest origin_id; below 0 where there is none
 */
public record OriginReach(DataCenter dc, List<Long> last) {
  public OriginReach {
    last = List.copyOf(last);
  }

  /**
   * Reads what the data centre has folded for the proof, and what of its mesh topic it has not.
   *
   * @throws org.apache.kafka.common.KafkaException if a topic is missing, or Kafka does not answer
   */
  public static OriginReach of(DataCenter dc, String origin) throws InterruptedException {
    var holdings = Holdings.read(dc, origin);
    return new OriginReach(
        dc, IntStream.range(0, dc.topology().shards().count()).mapToObj(holdings::last).toList());
  }

  /** Whether there is any. */
  public boolean isNothing() {
    return last.stream().allMatch(id -> id == Holdings.NONE);
  }
}
