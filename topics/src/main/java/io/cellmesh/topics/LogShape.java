package io.cellmesh.topics;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** Which topics make up the log: the source's setting {@code shard.topics}. */
public enum LogShape {
  /** One topic, {@code trips.log}, in which P partitions share the shards. */
  PARTITION,
  /** One topic a shard, {@code trips.log.0042}, of one partition. */
  TOPIC;

  /** The source connector's setting. */
  public static final String SETTING = "shard.topics";

  /** The setting's value for this shape. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Where the records of a shard stand. */
  public TopicPartition of(Topology topology, int shard) {
    return this == PARTITION
        ? new TopicPartition(topology.topics().log(), topology.shards().partitionOf(shard))
        : new TopicPartition(topology.topics().log(shard), 0);
  }

  /** All partitions of the log. */
  public List<TopicPartition> all(Topology topology) {
    return of(topology, IntStream.range(0, topology.shards().count()));
  }

  /** The partitions that hold the given shards, each once. */
  public List<TopicPartition> of(Topology topology, IntStream shards) {
    return shards.mapToObj(shard -> of(topology, shard)).distinct().toList();
  }

  /** In words, for a person. */
  public String text(Topics topics) {
    return this == PARTITION ? topics.log() : "%s to the last shard's".formatted(topics.log(0));
  }
}
