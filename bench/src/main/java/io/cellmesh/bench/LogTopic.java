package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.KafkaBroker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a source connector has written so far. For one thread. */
final class LogTopic implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String name;
  private final List<TopicPartition> partitions;

  LogTopic(KafkaBroker broker, String name, int partitions) {
    this.name = name;
    this.consumer = consumer(broker);
    this.partitions =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(name, p)).toList();
    consumer.assign(this.partitions);
  }

  /** As anybody has one, of no group. The caller closes it. */
  static KafkaConsumer<byte[], byte[]> consumer(KafkaBroker broker) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.bootstrap(), "fetch.min.bytes", 1),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  String name() {
    return name;
  }

  List<TopicPartition> partitions() {
    return partitions;
  }

  /** The next offset of each partition. */
  Map<TopicPartition, Long> ends() {
    return consumer.endOffsets(partitions);
  }

  /** How many records there are; there are no other offsets. */
  long records() {
    return ends().values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many different keys the records from there on have. */
  long keysSince(Map<TopicPartition, Long> begins) {
    var keys = new HashSet<ByteBuffer>();
    each(begins, record -> keys.add(ByteBuffer.wrap(record.key())));
    return keys.size();
  }

  /** Reads the records from there on, as many as there are now. */
  void each(Map<TopicPartition, Long> begins, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    var ends = ends();
    long left = 0;
    for (var partition : partitions) {
      consumer.seek(partition, begins.get(partition));
      left += ends.get(partition) - begins.get(partition);
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (left > 0) {
      for (var record : consumer.poll(Duration.ofMillis(100))) {
        reader.accept(record);
        left--;
      }
      if (System.nanoTime() > deadline) {
        throw new DevStackException("%s: %,d records can't be read".formatted(name, left));
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
