package io.cellmesh.operations.mesh.scrub;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.StateTopic;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The partitions of {@code trips.checkpoint} that this process has, of those that share them: what
 * is folded of the log in a partition, and the shards whose tables are held against it, belong
 * together. A partition is read only while it is looked at. For one thread.
 */
final class ScrubShare implements ConsumerRebalanceListener, AutoCloseable {
  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /** The partition that is read just now; null between two readings. */
  private TopicPartition reading;

  ScrubShare(KafkaAccess kafka, Topology topology) {
    this.topic = topology.topics().checkpoint();
    var settings = kafka.reader();
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, InstanceNames.scrubGroup(topology.instance()));
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.subscribe(Set.of(topic), this);
  }

  /** Goes on being a member of the group; at least once in five minutes. */
  Set<Integer> partitions() {
    consumer.poll(Duration.ZERO);
    var partitions = new TreeSet<Integer>();
    consumer.assignment().forEach(at -> partitions.add(at.partition()));
    return partitions;
  }

  /** Begins with the first record of a partition, if it is still this process's. */
  void begin(int partition) {
    var at = new TopicPartition(topic, partition);
    if (consumer.assignment().contains(at)) {
      consumer.seekToBeginning(Set.of(at));
    }
  }

  /**
   * Hands over what a partition has now, from where it was read last.
   *
   * @return whether it is still this process's
   * @throws TimeoutException if nothing of it comes for half a minute
   */
  boolean readToEnd(int partition, BiConsumer<byte[], byte[]> reader) {
    var at = new TopicPartition(topic, partition);
    if (!consumer.assignment().contains(at)) {
      return false;
    }
    consumer.resume(Set.of(at));
    reading = at;
    try {
      StateTopic.readToEnd(
          at.toString(),
          consumer,
          Set.of(at),
          record -> reader.accept(record.key(), record.value()));
    } finally {
      reading = null;
    }
    if (!consumer.assignment().contains(at)) {
      return false;
    }
    consumer.pause(Set.of(at));
    return true;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    consumer.seekToBeginning(assigned);
    consumer.pause(assigned.stream().filter(at -> !at.equals(reading)).toList());
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    // What was being looked at is looked at by whoever has it next.
  }

  @Override
  public void close() {
    consumer.close();
  }
}
