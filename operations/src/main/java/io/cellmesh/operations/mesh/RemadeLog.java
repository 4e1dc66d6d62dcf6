package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LogGeneration;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Says to the other data centres that the log of one is made again, with all cells: a link of
 * theirs whose place is gone with the old records begins again by itself.
 */
public record RemadeLog(DataCenter dc) {

  /**
   * Raises the log's generation. Once more does no harm.
   *
   * @return the new one; empty where no herb-replicator has ever run, so that nobody reads it
   * @throws org.apache.kafka.common.KafkaException if Kafka refuses it
   */
  public OptionalInt tell() throws InterruptedException {
    var places = new MeshPlaceTopic(dc);
    Map<String, String> known;
    try (var client = Consumers.open(dc.kafka())) {
      known = places.read(client);
    }
    if (known.isEmpty()) {
      return OptionalInt.empty();
    }
    int next = LogGeneration.in(known, dc.name()) + 1;
    places.write(Map.of(LogGeneration.key(dc.name()), Integer.toString(next)));
    return OptionalInt.of(next);
  }
}
