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
public final class HerbTopology {
  private HerbTopology() {}

  /**
   * @param peer the peer's data centre, whose own cells are taken
   * @param topics the instance's topics, which have the same names everywhere
   * @param shards S and P, which are the same everywhere
   */
  public static Topology of(String peer, Topics topics, Shards shards) {
    return new Topology()
        .addSource("log", new ByteArrayDeserializer(), new ByteArrayDeserializer(), topics.log())
        .addProcessor("herb", () -> new HerbProcessor(peer, shards), "log")
        .addSink(
            "mesh",
            topics.mesh(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            byRow(shards),
            "herb");
  }

  private static StreamPartitioner<byte[], byte[]> byRow(Shards shards) {
    return (topic, key, value, partitions) -> {
      if (partitions != shards.partitions()) {
        throw new CorruptLogException(
            "%s has %d partitions instead of %d".formatted(topic, partitions, shards.partitions()));
      }
      return Optional.of(Set.of(shards.partitionOf(shards.of(key))));
    };
  }
}
