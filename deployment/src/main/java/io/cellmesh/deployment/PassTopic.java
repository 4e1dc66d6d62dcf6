package io.cellmesh.deployment;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.StoredPasses.Entry;
import io.cellmesh.deployment.StoredPasses.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The passes in a compacted topic of one partition, {@code trips.passes}: key the pass, value its
 * definitions with their digest. Its records are few, so all of them are read again when there is
 * another one: whoever reads needs to know nothing of offsets, and a topic that was recreated is
 * read like a new one.
 */
public final class PassTopic implements PassStore, AutoCloseable {
  private static final int TIMEOUT_MS = KafkaAccess.ANSWER_MS;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long PAUSE_MS = 50;

  /**
   * How long the topic says that a pass was taken away. A process that was stopped for longer keeps
   * its local state, and says so.
   */
  private static final Duration REMOVALS = Duration.ofDays(365);

  private final KafkaAccess kafka;
  private final String instance;
  private final TopicPartition partition;
  private final Admin admin;

  public PassTopic(KafkaAccess kafka, Topics topics) {
    this.kafka = kafka;
    this.instance = topics.instance();
    this.partition = new TopicPartition(topics.passes(), 0);
    this.admin = Admin.create(kafka.admin());
  }

  /** The settings that the topic must have, beside its one partition. */
  public static Map<String, String> settings() {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_COMPACT,
        TopicConfig.DELETE_RETENTION_MS_CONFIG,
        Long.toString(REMOVALS.toMillis()));
  }

  @Override
  public StoredPasses read(StoredPasses before) throws InterruptedException {
    var topic = describe();
    if (topic.isEmpty()) {
      return StoredPasses.NONE;
    }
    requireOnePartition(topic.get());
    var end = new Place(topic.get().topicId(), end());
    return before.reach(end) ? before.heard() : before.then(end, entries(end.end()), instance);
  }

  @Override
  public void create() throws InterruptedException {
    var wanted =
        new NewTopic(partition.topic(), Optional.of(1), Optional.empty()).configs(settings());
    try {
      answer("Create", admin.createTopics(List.of(wanted)).all());
      awaitLeader();
    } catch (KafkaException e) {
      boolean mayExist =
          e.getCause() instanceof TopicExistsException
              || e.getCause() instanceof AuthorizationException;
      var topic = mayExist ? describe() : Optional.<TopicDescription>empty();
      requireOnePartition(topic.orElseThrow(() -> e));
      requireCompaction();
    }
  }

  @Override
  public void put(Pass pass) throws InterruptedException {
    write(pass.name(), pass.toJson());
  }

  @Override
  public void remove(String pass) throws InterruptedException {
    write(pass, null);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }

  /** Where it is, for messages. */
  @Override
  public String toString() {
    return "%s at %s".formatted(partition.topic(), kafka);
  }

  private List<Entry> entries(long end) {
    var entries = new ArrayList<Entry>();
    try (var consumer =
        new KafkaConsumer<>(
            kafka.reader(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long deadline = System.nanoTime() + Duration.ofMillis(TIMEOUT_MS).toNanos();
      while (consumer.position(partition) < end) {
        for (var record : consumer.poll(POLL)) {
          entries.add(
              new Entry(
                  record.offset(),
                  record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                  record.value()));
        }
        if (System.nanoTime() > deadline) {
          throw new KafkaException(
              "%s: read up to offset %d of %d within %d ms"
                  .formatted(this, consumer.position(partition), end, TIMEOUT_MS));
        }
      }
    } catch (KafkaException e) {
      throw failure("Read", e);
    }
    return entries;
  }

  /** Would else be made by the client, of a kind that loses what it is told. */
  private void write(String pass, byte[] value) throws InterruptedException {
    if (describe().isEmpty()) {
      throw missing();
    }
    var settings = kafka.client();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    var key = pass.getBytes(StandardCharsets.UTF_8);
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      var record = new ProducerRecord<>(partition.topic(), partition.partition(), key, value);
      awaitReadable(producer.send(record).get().offset());
    } catch (ExecutionException e) {
      throw failure("Write", e.getCause());
    } catch (KafkaException e) {
      throw failure("Write", e);
    }
  }

  private void awaitReadable(long offset) throws InterruptedException {
    until(
        () -> end() > offset,
        () ->
            new KafkaException(
                "%s: what was written at offset %d can't be read after %d ms"
                    .formatted(this, offset, TIMEOUT_MS)));
  }

  /** Nobody but a leader that knows of its partition says where it ends. */
  private void awaitLeader() throws InterruptedException {
    until(
        () -> {
          try {
            return end() >= 0;
          } catch (KafkaException e) {
            if (e.getCause() instanceof RetriableException) {
              return false;
            }
            throw e;
          }
        },
        () -> new KafkaException("%s has no leader after %d ms".formatted(this, TIMEOUT_MS)));
  }

  private static void until(Condition condition, Supplier<KafkaException> late)
      throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofMillis(TIMEOUT_MS).toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw late.get();
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private interface Condition {
    boolean holds() throws InterruptedException;
  }

  private void requireOnePartition(TopicDescription topic) {
    int partitions = topic.partitions().size();
    if (partitions != 1) {
      throw new KafkaException(
          "%s has %d partitions and must have one; delete it, and run `cellmesh index publish`"
              .formatted(this, partitions));
    }
  }

  /** A topic that a client or a person made forgets its records after a week. */
  private void requireCompaction() throws InterruptedException {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, partition.topic());
    String policy;
    try {
      policy =
          answer("DescribeConfigs", admin.describeConfigs(List.of(resource)).all())
              .get(resource)
              .get(TopicConfig.CLEANUP_POLICY_CONFIG)
              .value();
    } catch (KafkaException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return;
      }
      throw e;
    }
    if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      throw new KafkaException(
          "%s has cleanup.policy=%s and must have compact, or passes are forgotten; run `kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config cleanup.policy=compact`, then this again"
              .formatted(this, policy, kafka.bootstrap(), partition.topic()));
    }
  }

  private Optional<TopicDescription> describe() throws InterruptedException {
    try {
      return Optional.of(
          answer("Read", admin.describeTopics(List.of(partition.topic())).allTopicNames())
              .get(partition.topic()));
    } catch (KafkaException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private long end() throws InterruptedException {
    return answer("Read", admin.listOffsets(Map.of(partition, OffsetSpec.latest())).all())
        .get(partition)
        .offset();
  }

  /**
   * @param right that whoever asks must have; who may read may also look
   */
  private <T> T answer(String right, KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failure(right, e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaException("%s: Kafka does not answer: %s".formatted(this, e), e);
    }
  }

  private KafkaException missing() {
    return new KafkaException("%s: there is no such topic".formatted(this));
  }

  private KafkaException failure(String right, Throwable cause) {
    if (cause instanceof AuthorizationException refusal) {
      return MissingRightException.of(kafka, right, "topic " + partition.topic(), refusal);
    }
    if (cause instanceof MissingRightException lack) {
      return lack;
    }
    return new KafkaException("%s: %s".formatted(this, cause.getMessage()), cause);
  }
}
