package io.cellmesh.herb;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a seed on the peer's brokers. */
final class KafkaSeedReader implements SeedReader {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Set<TopicPartition> open = new HashSet<>();

  /**
   * @param consumer closed with this one
   * @param next the offset of the first record that is wanted, by partition
   */
  KafkaSeedReader(Consumer<byte[], byte[]> consumer, String topic, Map<Integer, Long> next) {
    this.consumer = consumer;
    this.topic = topic;
    next.keySet().forEach(partition -> open.add(at(partition)));
    consumer.assign(open);
    next.forEach((partition, offset) -> consumer.seek(at(partition), offset));
  }

  @Override
  public Map<Integer, List<ConsumerRecord<byte[], byte[]>>> poll() {
    var polled = consumer.poll(POLL);
    return polled.partitions().stream().collect(toMap(TopicPartition::partition, polled::records));
  }

  @Override
  public long position(int partition) {
    return consumer.position(at(partition));
  }

  @Override
  public void leave(int partition) {
    consumer.pause(Set.of(at(partition)));
    open.remove(at(partition));
  }

  @Override
  public long behind() {
    return open.stream().mapToLong(at -> consumer.currentLag(at).orElse(0)).sum();
  }

  @Override
  public void wakeup() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close();
  }

  private TopicPartition at(int partition) {
    return new TopicPartition(topic, partition);
  }
}
