package io.cellmesh.herb;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a seed on the peer's brokers. */
final class KafkaSeedReader implements SeedReader {
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
  public Map<Integer, List<ConsumerRecord<byte[], byte[]>>> poll(Set<Integer> full) {
    var paused = full.stream().map(this::at).collect(toSet());
    consumer.pause(paused);
    consumer.resume(open.stream().filter(at -> !paused.contains(at)).toList());
    var polled = consumer.poll(SeedReader.wait(full));
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
