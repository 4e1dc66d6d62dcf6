package io.cellmesh.topics;

import io.cellmesh.cell.Topology;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the log began and ended at one moment, whichever shape it has.
 *
 * @param begin the first retained offset of each partition
 * @param end the offset behind the last committed record of each partition
 */
public record LogOffsets(
    Topology topology,
    LogShape shape,
    Map<TopicPartition, Long> begin,
    Map<TopicPartition, Long> end) {

  public LogOffsets {
    begin = Map.copyOf(begin);
    end = Map.copyOf(end);
  }

  /**
   * The log as it is now; of two shapes side by side the one topic for all shards.
   *
   * @throws KafkaException if there is no log
   */
  public static LogOffsets of(Consumer<?, ?> client, Topology topology) {
    return of(client, topology, shape(client, topology));
  }

  /** The log of one shape as it is now. */
  public static LogOffsets of(Consumer<?, ?> client, Topology topology, LogShape shape) {
    var partitions = shape.all(topology);
    return new LogOffsets(
        topology, shape, client.beginningOffsets(partitions), client.endOffsets(partitions));
  }

  /** The partitions that hold the shards that are congruent to a partition's number modulo P. */
  public List<TopicPartition> partitions(int number) {
    var shards = topology.shards();
    return shape.of(
        topology,
        IntStream.range(0, shards.count()).filter(shard -> shards.partitionOf(shard) == number));
  }

  public List<TopicPartition> partitions() {
    return shape.all(topology);
  }

  /** Whether every partition still has the first record that it ever held. */
  public boolean whole() {
    return begin.values().stream().allMatch(offset -> offset == 0);
  }

  /** How many offsets are retained; markers of transactions count, too. */
  public long retained() {
    return total(end) - total(begin);
  }

  private static long total(Map<TopicPartition, Long> offsets) {
    return offsets.values().stream().mapToLong(Long::longValue).sum();
  }

  private static LogShape shape(Consumer<?, ?> client, Topology topology) {
    var topics = topology.topics();
    if (exists(client, topics.log())) {
      return LogShape.PARTITION;
    }
    if (exists(client, topics.log(0))) {
      return LogShape.TOPIC;
    }
    throw new KafkaException("there is no topic " + topics.log());
  }

  private static boolean exists(Consumer<?, ?> client, String topic) {
    var partitions = client.partitionsFor(topic);
    return partitions != null && !partitions.isEmpty();
  }
}
