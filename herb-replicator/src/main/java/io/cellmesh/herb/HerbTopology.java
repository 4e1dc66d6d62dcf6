package io.cellmesh.herb;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** The Streams topology of one link: the peer's log to the mesh here, without state. */
final class HerbTopology {
  static final String MESH = "mesh";
  static final String REJECTED = "rejected";

  private static final String LOG = "log";
  private static final String PROCESSOR = "herb";

  private HerbTopology() {}

  /**
   * @param topics the instance's topics, which have the same names everywhere
   * @param window is told what was looked at
   */
  static Topology of(LinkTerms terms, Topics topics, LinkFigures figures, MeshWindow window) {
    var keys = new ByteArraySerializer();
    var values = new ByteArraySerializer();
    return new Topology()
        .addSource(LOG, new ByteArrayDeserializer(), new ByteArrayDeserializer(), topics.log())
        .addProcessor(PROCESSOR, () -> new HerbProcessor(terms, topics, figures, window), LOG)
        .addSink(MESH, topics.mesh(), keys, values, byRow(terms.shards()), PROCESSOR)
        .addSink(REJECTED, topics.rejected(), keys, values, PROCESSOR);
  }

  /**
   * Puts a cell where the shard of its row stands, as Kafka's own partitioner does.
   *
   * @throws HaltException (from the partitioner) if the topic has not P partitions
   */
  static StreamPartitioner<byte[], byte[]> byRow(Shards shards) {
    return (topic, key, value, partitions) -> {
      if (partitions != shards.partitions()) {
        throw new HaltException(
            "%s has %d partitions instead of %d".formatted(topic, partitions, shards.partitions()));
      }
      return Optional.of(Set.of(shards.partitionOf(shards.of(key))));
    };
  }
}
