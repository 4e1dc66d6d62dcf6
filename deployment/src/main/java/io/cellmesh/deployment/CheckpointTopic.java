package io.cellmesh.deployment;

import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads {@code trips.checkpoint} of a data centre from its beginning: key a bucket or a place,
 * value what is known of it. For one thread.
 */
public final class CheckpointTopic implements Checkpoints {
  private static final int TIMEOUT_MS = 10_000;
  private static final int FETCH = 2 << 20;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration STALLED = Duration.ofSeconds(30);

  private final KafkaAccess kafka;
  private final List<TopicPartition> partitions;
  private final KafkaConsumer<byte[], byte[]> consumer;

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
    var settings = kafka.client();
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH);
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    // Figures of it cost more than it does, where a process reads many.
    settings.putIfAbsent(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, List.of());
    settings.putIfAbsent(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    try {
      requirePartitions(topic, topology.shards().partitions());
      consumer.assign(this.partitions);
      consumer.seekToBeginning(this.partitions);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  /** The settings that the topic must have, beside its P partitions: it is compacted soon. */
  public static Map<String, String> settings() {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_COMPACT,
        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
        "0.1",
        TopicConfig.SEGMENT_BYTES_CONFIG,
        Integer.toString(16 << 20),
        TopicConfig.SEGMENT_MS_CONFIG,
        Long.toString(Duration.ofHours(1).toMillis()));
  }

  @Override
  public int poll(Duration within, BiConsumer<byte[], byte[]> reader) {
    var records = consumer.poll(within);
    for (var record : records) {
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
    var ends = consumer.endOffsets(partitions);
    long movedAt = System.nanoTime();
    long before = -1;
    for (long left = left(ends); left > 0; left = left(ends)) {
      if (left != before) {
        movedAt = System.nanoTime();
        before = left;
      } else if (System.nanoTime() - movedAt > STALLED.toNanos()) {
        throw new KafkaException("%s: no record for %d s".formatted(this, STALLED.toSeconds()));
      }
      poll(POLL, reader);
    }
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

  private long left(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
        .sum();
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
