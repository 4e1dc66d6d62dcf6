package io.cellmesh.topics.trigger;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.topics.Consumers;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Reads partitions of the state topic from their beginning, and then follows them. Hands on what is
 * committed, in the order of each partition. Serves one thread.
 */
public final class StateReader implements AutoCloseable {
  /**
   * Longer than Kafka takes to abort the transaction of a trigger's process that died: its {@code
   * transaction.timeout.ms} (10 s), and until the broker looks for such (10 s).
   */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(100);

  /** As often as all partitions are read on at most, where more comes all the time. */
  private static final int PASSES = 5;

  private final KafkaAccess kafka;
  private final String topic;
  private final Duration patience;
  private final Consumer<ConsumerRecord<byte[], byte[]>> sink;
  private final KafkaConsumer<byte[], byte[]> client;
  private final Admin admin;
  private final Set<TopicPartition> followed = new LinkedHashSet<>();

  /** Where each ended when it was begun to follow it. */
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  private long handedOn;

  /**
   * @param patience with which to wait for a transaction that is open
   * @param sink called with each record by the thread that reads
   */
  public StateReader(
      KafkaAccess kafka,
      String topic,
      Duration patience,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    this.kafka = kafka;
    this.topic = topic;
    this.patience = patience;
    this.sink = sink;
    this.client = Consumers.open(kafka);
    boolean opened = false;
    try {
      this.admin = Consumers.admin(kafka);
      opened = true;
    } finally {
      if (!opened) {
        client.close();
      }
    }
  }

  /**
   * Counts the partitions.
   *
   * @throws KafkaException if there is no such topic
   */
  public int partitions() {
    var partitions = client.partitionsFor(topic);
    if (partitions == null || partitions.isEmpty()) {
      throw new KafkaException(
          "there is no topic %s; `cellmesh trigger create` makes it".formatted(topic));
    }
    return partitions.size();
  }

  /**
   * Reads all partitions, as {@link #read(Collection)} does, until nothing new comes: of what a
   * transaction writes to all of them meanwhile, as who creates a trigger does, some may have been
   * read and some not.
   */
  public void readAll() throws InterruptedException {
    var all = IntStream.range(0, partitions()).boxed().toList();
    for (int pass = 1; pass <= PASSES; pass++) {
      long before = handedOn;
      read(all);
      if (handedOn == before) {
        return;
      }
    }
  }

  /**
   * Reads partitions from their beginning up to where each ends at this moment, and follows them
   * from then on.
   *
   * @throws KafkaException if the end is not reached in time
   */
  public void read(Collection<Integer> partitions) throws InterruptedException {
    follow(partitions);
    long begun = System.nanoTime();
    for (var late = late(partitions); late.isPresent(); late = late(partitions)) {
      if (System.nanoTime() - begun > patience.toNanos()) {
        throw late(late.get());
      }
      poll(POLL);
    }
  }

  /**
   * Begins to follow partitions from their beginning; {@link #hasReached} says when what each holds
   * at this moment was handed on.
   *
   * <p>That ends at the high watermark and not at the last stable offset: behind a transaction that
   * a dead process left open there may be committed ones, which nobody may overlook. So it waits
   * until Kafka has ended what was open.
   */
  public void follow(Collection<Integer> partitions) throws InterruptedException {
    var asked = partitions.stream().map(number -> new TopicPartition(topic, number)).toList();
    ends.putAll(ends(asked));
    var added = asked.stream().filter(followed::add).toList();
    if (!added.isEmpty()) {
      client.assign(followed);
      client.seekToBeginning(added);
    }
  }

  /** Whether all that a partition held when it was begun to follow it was handed on. */
  public boolean hasReached(int partition) {
    var at = new TopicPartition(topic, partition);
    return client.position(at) >= ends.get(at);
  }

  /** Hands on what came to the partitions that were read, or nothing when the time is over. */
  public void poll(Duration timeout) {
    var records = client.poll(timeout);
    handedOn += records.count();
    records.forEach(sink);
  }

  /** Follows partitions no more. */
  public void release(Collection<Integer> partitions) {
    for (var number : partitions) {
      followed.remove(new TopicPartition(topic, number));
      ends.remove(new TopicPartition(topic, number));
    }
    client.assign(followed);
  }

  @Override
  public void close() {
    try {
      client.close();
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  private Optional<TopicPartition> late(Collection<Integer> partitions) {
    return partitions.stream()
        .filter(number -> !hasReached(number))
        .findFirst()
        .map(number -> new TopicPartition(topic, number));
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> partitions)
      throws InterruptedException {
    var asked = new HashMap<TopicPartition, OffsetSpec>();
    partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
    var ends = new HashMap<TopicPartition, Long>();
    try {
      admin
          .listOffsets(asked)
          .all()
          .get()
          .forEach((partition, found) -> ends.put(partition, found.offset()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException refusal) {
        throw MissingRightException.of(kafka, "Describe", "topic " + topic, refusal);
      }
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
    return ends;
  }

  private KafkaException late(TopicPartition partition) {
    return new KafkaException(
        "%s: read up to offset %d of %d within %d s; a transaction that is open holds up what stands behind it, and Kafka ends one whose process died after its transaction.timeout.ms: try again"
            .formatted(
                partition, client.position(partition), ends.get(partition), patience.toSeconds()));
  }
}
