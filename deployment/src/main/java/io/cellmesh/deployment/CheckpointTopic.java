package io.cellmesh.deployment;

import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads {@code trips.checkpoint} of a data centre from its beginning: key a bucket or a place,
 * value what is known of it. For one thread.
 */
public final class CheckpointTopic implements Checkpoints {
  /**
   * The newest segment of a partition is never compacted, so whoever starts reads it as it was
   * written. It must hold the largest batch: what was found in the tables of all servers, well
   * below 1 MiB.
   */
  private static final int SEGMENT_BYTES = 2 << 20;

  /** A bucket of some 2 KiB is written every few seconds while its shard's cells come. */
  private static final Duration SEGMENT_AGE = Duration.ofMinutes(2);

  private final KafkaAccess kafka;
  private final List<TopicPartition> partitions;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /** The settings that the topic must have. */
  public static Map<String, String> settings() {
    return StateTopic.settings(SEGMENT_BYTES, SEGMENT_AGE);
  }

  /**
   * Opens all partitions.
   *
   * @throws KafkaException as {@link #CheckpointTopic(KafkaAccess, Topology, Collection)}
   */
  public CheckpointTopic(KafkaAccess kafka, Topology topology) {
    this(kafka, topology, IntStream.range(0, topology.shards().partitions()).boxed().toList());
  }

  /**
   * Opens some partitions.
   *
   * @throws KafkaException if Kafka does not answer within 10 s, or the topic is missing or has not
   *     P partitions
   */
  public CheckpointTopic(KafkaAccess kafka, Topology topology, Collection<Integer> partitions) {
    this.kafka = kafka;
    var topic = topology.topics().checkpoint();
    this.partitions = partitions.stream().map(p -> new TopicPartition(topic, p)).toList();
    this.consumer =
        new KafkaConsumer<>(
            kafka.reader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    try {
      requirePartitions(topic, topology.shards().partitions());
      consumer.assign(this.partitions);
      consumer.seekToBeginning(this.partitions);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  @Override
  public int poll(Duration within, BiConsumer<byte[], byte[]> reader) {
    var records = consumer.poll(within);
    for (var record : NewestOfKeys.of(records)) {
      reader.accept(record.key(), record.value());
    }
    return records.count();
  }

  /**
   * {@inheritDoc}
   *
   * @throws KafkaException if nothing comes for half a minute
   */
  @Override
  public void readToEnd(BiConsumer<byte[], byte[]> reader) {
    readToEnd(record -> reader.accept(record.key(), record.value()));
  }

  /**
   * Hands over every record with the partition that it is in.
   *
   * @throws KafkaException if nothing comes for half a minute
   */
  public void readToEnd(Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    StateTopic.readToEnd(toString(), consumer, reader);
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** Where it is, for messages. */
  @Override
  public String toString() {
    return "%s at %s".formatted(partitions.get(0).topic(), kafka);
  }

  private void requirePartitions(String topic, int wanted) {
    var found = consumer.partitionsFor(topic);
    if (found == null || found.isEmpty()) {
      throw new KafkaException(
          "there is no topic %s at %s; `cellmesh instance create` makes it"
              .formatted(topic, kafka));
    }
    if (found.size() != wanted) {
      throw new KafkaException(
          "%s at %s has %d partitions, the topology says partitions: %d"
              .formatted(topic, kafka, found.size(), wanted));
    }
  }
}
