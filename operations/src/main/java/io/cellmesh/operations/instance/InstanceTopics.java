package io.cellmesh.operations.instance;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.TriggerColumns;
import io.cellmesh.connect.client.Waiting;
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
import org.apache.kafka.clients.admin.Config;
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

/**
 * Creates the topics of an instance. What exists is left alone, except that a wrong partition count
 * is refused: routing depends on it (invariant 1); and so is one that a legal cell may not fit. A
 * log with a topic for each shard is made in batches, so that it can be interrupted and goes on
 * when it is called again.
 */
public final class InstanceTopics {
  /** Topics that one request creates: more would outlast its timeout on a slow controller. */
  private static final int BATCH = 200;

  private static final Duration LEADERS = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final ListOffsetsOptions ASKING = new ListOffsetsOptions().timeoutMs(10_000);

  private final Admin admin;
  private final TopicPlan plan;

  /** With one log topic for all shards. */
  public InstanceTopics(Admin admin, Topics topics, Shards shards, short replication) {
    this(admin, new TopicPlan(topics, shards, LogShape.PARTITION, replication));
  }

  public InstanceTopics(Admin admin, TopicPlan plan) {
    this.admin = admin;
    this.plan = plan;
  }

  /** How many topics there will be. */
  public int count(Collection<String> indexes) {
    return plan.topics(indexes).size();
  }

  /** How many of them are not there. */
  public int missing(Collection<String> indexes) throws InterruptedException {
    try {
      var there = admin.listTopics().names().get();
      return (int)
          plan.topics(indexes).stream().filter(topic -> !there.contains(topic.name())).count();
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
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
    var wanted = plan.topics(indexes);
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
    createAndAwait(plan.topicsOfPass(indexes, pass));
  }

  /**
   * Creates what triggers need; as {@link #create(Collection, IntConsumer)}, so that a topic with
   * another number of partitions is refused.
   *
   * @param columns that the sources write to a topic each, which the setting {@code
   *     trigger.columns} names
   * @throws IllegalArgumentException if a column can have no topic
   * @throws OperationException if one was made otherwise and would forget what it holds, with the
   *     command that changes it
   */
  public void createForTriggers(List<String> columns) throws InterruptedException {
    var wanted = new ArrayList<>(plan.topicsOfTriggers());
    TriggerColumns.check("column", columns).stream().map(plan::topicOfTrigger).forEach(wanted::add);
    checkKeeping(createAndAwait(wanted));
  }

  /**
   * Creates the seed for a data centre that joins; as {@link #create(Collection, IntConsumer)}.
   *
   * @param datacenter that joins
   */
  public void createForSeed(String datacenter) throws InterruptedException {
    createAndAwait(List.of(plan.topicOfSeed(datacenter)));
  }

  /**
   * Creates what a data centre remembers of its links, for an instance that is older than that
   * topic; as {@link #create(Collection, IntConsumer)}.
   */
  public void createForMeshPlaces() throws InterruptedException {
    createAndAwait(List.of(plan.topicOfMeshPlaces()));
  }

  /** Creates what is missing, as {@link #create(Collection, IntConsumer)} does. */
  public void create(Collection<String> indexes) throws InterruptedException {
    create(indexes, made -> {});
  }

  /** Those that had been there before. */
  private List<NewTopic> createAndAwait(List<NewTopic> batch) throws InterruptedException {
    var existing = create(batch);
    checkPartitions(batch, awaitLeaders(batch));
    checkSizes(existing);
    return batch.stream().filter(topic -> existing.contains(topic.name())).toList();
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
    // Who may not look learns it when a record is refused, which stops its writer with words.
    configs(existing)
        .forEach(
            (topic, config) -> {
              var largest = config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
              requireRoom(topic, Integer.parseInt(largest.value()));
            });
  }

  /** A topic that an older version, a client or a person made may forget after a week. */
  private void checkKeeping(List<NewTopic> existing) throws InterruptedException {
    var found = configs(existing.stream().map(NewTopic::name).toList());
    for (var topic : existing) {
      for (var setting : TopicPlan.KEEPING) {
        var wanted = topic.configs().get(setting);
        if (wanted != null && found.containsKey(topic.name())) {
          requireSetting(
              topic.name(), setting, found.get(topic.name()).get(setting).value(), wanted);
        }
      }
    }
  }

  /** Nothing of those that whoever asks may not look at. */
  private Map<String, Config> configs(Collection<String> topics) throws InterruptedException {
    var resources =
        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    var configs = new HashMap<String, Config>();
    try {
      admin
          .describeConfigs(resources)
          .all()
          .get()
          .forEach((topic, config) -> configs.put(topic.name(), config));
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AuthorizationException)) {
        throw new KafkaException(e.getCause().getMessage(), e.getCause());
      }
    }
    return configs;
  }

  /**
   * @throws OperationException if the topic would forget what it must keep, with the command that
   *     changes it
   */
  static void requireSetting(String topic, String setting, String found, String wanted) {
    if (!wanted.equals(found)) {
      throw OperationException.invalid(
          "topic %s has %s=%s and must have %s, or what it holds is forgotten; run `kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name %s --add-config %s=%s`, then this again"
              .formatted(topic, setting, found, wanted, topic, setting, wanted));
    }
  }

  /**
   * @param largest record that a topic takes, in bytes
   * @throws OperationException if a legal cell can be larger, with the command that changes it
   */
  static void requireRoom(String topic, int largest) {
    if (largest < TopicPlan.MAX_MESSAGE) {
      throw OperationException.invalid(
          "topic %s takes records of at most %d bytes (max.message.bytes), but a cell can need %d; run `kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name %s --add-config max.message.bytes=%d`, then this again"
              .formatted(topic, largest, TopicPlan.MAX_MESSAGE, topic, TopicPlan.MAX_MESSAGE));
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
                    .formatted(topic.name(), partitions, plan.shards().partitions(), partitions));
      }
    }
  }
}
