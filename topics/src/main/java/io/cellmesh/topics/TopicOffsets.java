package io.cellmesh.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the partitions of a topic began and ended at one moment.
 *
 * @param begin the first retained offset of each partition, by its number
 * @param end the offset behind the last committed record
 */
public record TopicOffsets(String topic, List<Long> begin, List<Long> end) {
  public TopicOffsets {
    begin = List.copyOf(begin);
    end = List.copyOf(end);
  }

  /**
   * @throws KafkaException if there is no such topic
   */
  public static TopicOffsets of(Consumer<?, ?> client, String topic) {
    var infos = client.partitionsFor(topic);
    if (infos == null || infos.isEmpty()) {
      throw new KafkaException("there is no topic " + topic);
    }
    var partitions = new ArrayList<TopicPartition>();
    for (int partition = 0; partition < infos.size(); partition++) {
      partitions.add(new TopicPartition(topic, partition));
    }
    return new TopicOffsets(
        topic,
        inOrder(partitions, client.beginningOffsets(partitions)),
        inOrder(partitions, client.endOffsets(partitions)));
  }

  public int partitions() {
    return end.size();
  }

  public TopicPartition partition(int number) {
    return new TopicPartition(topic, number);
  }

  public long begin(int partition) {
    return begin.get(partition);
  }

  public long end(int partition) {
    return end.get(partition);
  }

  /** How many offsets are retained; markers of transactions count, too. */
  public long retained() {
    long sum = 0;
    for (int partition = 0; partition < partitions(); partition++) {
      sum += end(partition) - begin(partition);
    }
    return sum;
  }

  private static List<Long> inOrder(
      List<TopicPartition> partitions, Map<TopicPartition, Long> offsets) {
    return partitions.stream().map(offsets::get).toList();
  }
}
