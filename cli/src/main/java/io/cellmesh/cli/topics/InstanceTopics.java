package io.cellmesh.cli.topics;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cli.outcome.CliException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates the topics of an instance. What exists is left alone, except that a wrong partition count
 * is refused: routing depends on it (invariant 1).
 */
public final class InstanceTopics {
  /** Carries a body of the largest limit (3 MiB) and its envelope. */
  static final int MAX_MESSAGE = 4 << 20;

  private static final Duration LEADERS = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Admin admin;
  private final Topics topics;
  private final Shards shards;
  private final short replication;

  public InstanceTopics(Admin admin, Topics topics, Shards shards, short replication) {
    this.admin = admin;
    this.topics = topics;
    this.shards = shards;
    this.replication = replication;
  }

  /**
   * Creates what is missing and waits until every partition has a leader: a producer that meets a
   * topic without one can wait far longer than the election takes.
   *
   * @param indexes the names of the instance's indexes
   * @throws CliException if a topic exists with another number of partitions
   */
  public void create(Collection<String> indexes) throws InterruptedException {
    var wanted = wanted(indexes);
    for (var result : admin.createTopics(wanted).values().entrySet()) {
      try {
        result.getValue().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw new KafkaException(
              "topic " + result.getKey() + ": " + e.getCause().getMessage(), e.getCause());
        }
      }
    }
    checkPartitions(awaitLeaders(wanted.stream().map(NewTopic::name).toList()));
  }

  /** The topics with their settings. */
  List<NewTopic> wanted(Collection<String> indexes) {
    var wanted = new ArrayList<NewTopic>();
    wanted.add(topic(topics.cells(), Map.of()));
    wanted.add(topic(topics.mesh(), Map.of()));
    wanted.add(
        topic(
            topics.log(),
            Map.of(
                TopicConfig.RETENTION_MS_CONFIG, "-1", TopicConfig.RETENTION_BYTES_CONFIG, "-1")));
    wanted.add(topic(topics.rejected(), Map.of()));
    wanted.add(topic(topics.unindexed(), Map.of()));
    wanted.add(topic(topics.instance() + ".parked", Map.of()));
    for (var index : indexes) {
      wanted.add(
          topic(
              topics.index(index),
              Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
    }
    return wanted;
  }

  private NewTopic topic(String name, Map<String, String> more) {
    var configs = new HashMap<>(more);
    configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE));
    return new NewTopic(name, shards.partitions(), replication).configs(configs);
  }

  private Map<String, TopicDescription> awaitLeaders(List<String> names)
      throws InterruptedException {
    long deadline = System.nanoTime() + LEADERS.toNanos();
    while (true) {
      var described = describe(names);
      if (described.size() == names.size()
          && described.values().stream()
              .flatMap(t -> t.partitions().stream())
              .allMatch(p -> p.leader() != null && !p.leader().isEmpty())) {
        return described;
      }
      if (System.nanoTime() > deadline) {
        throw CliException.environment(
            "the topics have no leaders after %d s; is every broker up?"
                .formatted(LEADERS.toSeconds()));
      }
      Thread.sleep(POLL.toMillis());
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

  private void checkPartitions(Map<String, TopicDescription> described) {
    for (var topic : described.values()) {
      int partitions = topic.partitions().size();
      if (partitions != shards.partitions()) {
        throw CliException.usage(
            "topic %s has %d partitions, the topology says %d; restore `partitions: %d` or give the instance another name"
                .formatted(topic.name(), partitions, shards.partitions(), partitions));
      }
    }
  }
}
