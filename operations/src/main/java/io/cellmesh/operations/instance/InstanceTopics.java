package io.cellmesh.operations.instance;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.LogShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;

/**
 * Creates the topics of an instance. What exists is left alone, except that a wrong partition count
 * is refused: routing depends on it (invariant 1); and so is one that a legal cell may not fit. A
 * log with a topic for each shard is made in batches, so that it can be interrupted and goes on
 * when it is called again.
 */
public final class InstanceTopics {
  /** Carries a body of the largest limit (3 MiB) and its envelope. */
  static final int MAX_MESSAGE = 4 << 20;

  /** Topics that one request creates: more would outlast its timeout on a slow controller. */
  private static final int BATCH = 200;

  private static final Duration LEADERS = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final ListOffsetsOptions ASKING = new ListOffsetsOptions().timeoutMs(10_000);

  private static final Map<String, String> KEPT =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_DELETE,
          TopicConfig.RETENTION_MS_CONFIG,
          "-1",
          TopicConfig.RETENTION_BYTES_CONFIG,
          "-1");

  /**
   * For records that keep the time of what they tell of, which may be years ago: the broker's clock
   * and not theirs says how long they stay, or retention takes them before anybody has read them.
   */
  static final Map<String, String> BY_ARRIVAL =
      Map.of(
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          TimestampType.LOG_APPEND_TIME.name,
          TopicConfig.RETENTION_MS_CONFIG,
          Long.toString(Duration.ofDays(14).toMillis()));

  private static final Map<String, String> COMPACTED =
      Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);

  private final Admin admin;
  private final Topics topics;
  private final Shards shards;
  private final LogShape shape;
  private final short replication;

  /** With one log topic for all shards. */
  public InstanceTopics(Admin admin, Topics topics, Shards shards, short replication) {
    this(admin, topics, shards, LogShape.PARTITION, replication);
  }

  /**
   * @param shape of the log
   * @param replication of every topic; -1 for the brokers' default
   */
  public InstanceTopics(
      Admin admin, Topics topics, Shards shards, LogShape shape, short replication) {
    this.admin = admin;
    this.topics = topics;
    this.shards = shards;
    this.shape = shape;
    this.replication = replication;
  }

  /** How many topics there will be. */
  public int count(Collection<String> indexes) {
    return wanted(indexes).size();
  }

  /**
   * Creates what is missing and waits until every partition is led by a broker that knows it.
   * Before, an idempotent producer's first batch may be refused and its second one taken: the first
   * is then lost after two minutes (KAFKA-15591).
   *
   * @param indexes the names of the instance's indexes
   * @param progress called with the number of topics that were made or found since the last call
   * @throws OperationException if a topic exists with another number of partitions
   */
  public void create(Collection<String> indexes, IntConsumer progress) throws InterruptedException {
    var wanted = wanted(indexes);
    for (int from = 0; from < wanted.size(); from += BATCH) {
      var batch = wanted.subList(from, Math.min(wanted.size(), from + BATCH));
      createAndAwait(batch);
      progress.accept(batch.size());
    }
  }

  /**
   * Creates what indexes need that are built later; as {@link #create(Collection, IntConsumer)}.
   *
   * @param indexes the labels of those that one pass keeps
   */
  public void createForPass(Collection<String> indexes, String pass) throws InterruptedException {
    var wanted = new ArrayList<NewTopic>();
    indexes.forEach(index -> wanted.add(topic(topics.index(index), COMPACTED)));
    wanted.add(topic(topics.indexBackfill(pass), Map.of()));
    createAndAwait(wanted);
  }

  /** Creates what is missing, as {@link #create(Collection, IntConsumer)} does. */
  public void create(Collection<String> indexes) throws InterruptedException {
    create(indexes, made -> {});
  }

  private void createAndAwait(List<NewTopic> batch) throws InterruptedException {
    var existing = create(batch);
    checkPartitions(batch, awaitLeaders(batch));
    checkSizes(existing);
  }

  /** Those that had been there before. */
  private Set<String> create(List<NewTopic> batch) throws InterruptedException {
    var existing = new TreeSet<String>();
    for (var result : admin.createTopics(batch).values().entrySet()) {
      try {
        result.getValue().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw new KafkaException(
              "topic " + result.getKey() + ": " + e.getCause().getMessage(), e.getCause());
        }
        existing.add(result.getKey());
      }
    }
    return existing;
  }

  /** The topics with their settings. */
  List<NewTopic> wanted(Collection<String> indexes) {
    var wanted = new ArrayList<NewTopic>();
    wanted.add(topic(topics.cells(), Map.of()));
    wanted.add(topic(topics.mesh(), BY_ARRIVAL));
    wanted.add(topic(topics.rejected(), BY_ARRIVAL));
    wanted.add(topic(topics.unindexed(), BY_ARRIVAL));
    wanted.add(topic(topics.instance() + ".parked", Map.of()));
    wanted.add(topic(topics.heartbeat(), 1, COMPACTED));
    wanted.add(topic(topics.meshPlace(), 1, COMPACTED));
    wanted.add(topic(topics.passes(), 1, PassTopic.settings()));
    for (var index : indexes) {
      wanted.add(topic(topics.index(index), COMPACTED));
    }
    if (shape == LogShape.PARTITION) {
      wanted.add(topic(topics.log(), KEPT));
    } else {
      for (int shard = 0; shard < shards.count(); shard++) {
        wanted.add(topic(topics.log(shard), 1, KEPT));
      }
    }
    return wanted;
  }

  private NewTopic topic(String name, Map<String, String> more) {
    return topic(name, shards.partitions(), more);
  }

  private NewTopic topic(String name, int partitions, Map<String, String> more) {
    var configs = new HashMap<>(more);
    configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE));
    return new NewTopic(name, Optional.of(partitions), factor()).configs(configs);
  }

  private Optional<Short> factor() {
    return replication < 0 ? Optional.empty() : Optional.of(replication);
  }

  private Map<String, TopicDescription> awaitLeaders(List<NewTopic> batch)
      throws InterruptedException {
    var names = batch.stream().map(NewTopic::name).toList();
    return Waiting.find(LEADERS, POLL, () -> led(names))
        .orElseThrow(
            () ->
                OperationException.unavailable(
                    "the topics have no leaders after %d s; is every broker up?"
                        .formatted(LEADERS.toSeconds())));
  }

  /** Empty while one of them has no leader. */
  private Optional<Map<String, TopicDescription>> led(List<String> names)
      throws InterruptedException {
    var described = describe(names);
    boolean led = described.size() == names.size() && areLed(described.values());
    return led ? Optional.of(described) : Optional.empty();
  }

  /** Nobody but a leader that knows of its partition answers a question for offsets. */
  private boolean areLed(Collection<TopicDescription> described) throws InterruptedException {
    var ends = new HashMap<TopicPartition, OffsetSpec>();
    for (var topic : described) {
      topic
          .partitions()
          .forEach(
              p -> ends.put(new TopicPartition(topic.name(), p.partition()), OffsetSpec.latest()));
    }
    try {
      admin.listOffsets(ends, ASKING).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RetriableException) {
        return false;
      }
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }

  private Map<String, TopicDescription> describe(List<String> names) throws InterruptedException {
    var described = new HashMap<String, TopicDescription>();
    for (var topic : admin.describeTopics(names).topicNameValues().entrySet()) {
      try {
        described.put(topic.getKey(), topic.getValue().get());
      } catch (ExecutionException e) {
        // A topic just made may not have reached the broker that was asked.
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw new KafkaException(e.getCause().getMessage(), e.getCause());
        }
      }
    }
    return described;
  }

  /** A topic that a client, Connect or a person made takes 1 MiB by default. */
  private void checkSizes(Set<String> existing) throws InterruptedException {
    var resources =
        existing.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    try {
      for (var topic : admin.describeConfigs(resources).all().get().entrySet()) {
        var largest = topic.getValue().get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        requireRoom(topic.getKey().name(), Integer.parseInt(largest.value()));
      }
    } catch (ExecutionException e) {
      // Who may not look learns it when a record is refused, which stops its writer with words.
      if (!(e.getCause() instanceof AuthorizationException)) {
        throw new KafkaException(e.getCause().getMessage(), e.getCause());
      }
    }
  }

  /**
   * @param largest record that a topic takes, in bytes
   * @throws OperationException if a legal cell can be larger, with the command that changes it
   */
  static void requireRoom(String topic, int largest) {
    if (largest < MAX_MESSAGE) {
      throw OperationException.invalid(
          "topic %s takes records of at most %d bytes (max.message.bytes), but a cell can need %d; run `kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name %s --add-config max.message.bytes=%d`, then this again"
              .formatted(topic, largest, MAX_MESSAGE, topic, MAX_MESSAGE));
    }
  }

  private void checkPartitions(List<NewTopic> wanted, Map<String, TopicDescription> described) {
    for (var topic : wanted) {
      int partitions = described.get(topic.name()).partitions().size();
      if (partitions != topic.numPartitions()) {
        throw OperationException.invalid(
            topic.numPartitions() == 1
                ? "topic %s has %d partitions and must have one; delete it, or give the instance another name"
                    .formatted(topic.name(), partitions)
                : "topic %s has %d partitions, the topology says %d; restore `partitions: %d` or give the instance another name"
                    .formatted(topic.name(), partitions, shards.partitions(), partitions));
      }
    }
  }
}
