package io.cellmesh.operations.instance;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.deployment.StateTopic;
import io.cellmesh.topics.LogShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.TimestampType;

/**
 * The topics of an instance with their settings.
 *
 * @param shape of the log
 * @param replication of every topic; -1 for the brokers' default
 */
public record TopicPlan(Topics topics, Shards shards, LogShape shape, short replication) {
  /** The settings that decide whether a topic keeps its records. */
  public static final List<String> KEEPING =
      List.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.RETENTION_MS_CONFIG,
          TopicConfig.RETENTION_BYTES_CONFIG);

  /** Carries a body of the largest limit (3 MiB) and its envelope. */
  static final int MAX_MESSAGE = 4 << 20;

  private static final int HEADERS = 64 << 10;

  private static final String TWO_WEEKS = Long.toString(Duration.ofDays(14).toMillis());

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
          TWO_WEEKS);

  /**
   * For what is written once and read soon, but all of it: a broker that keeps less by default
   * would delete rows before index-streams has read them, or all but one of a row's cells.
   */
  private static final Map<String, String> UNTIL_READ =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_DELETE,
          TopicConfig.RETENTION_MS_CONFIG,
          TWO_WEEKS,
          TopicConfig.RETENTION_BYTES_CONFIG,
          "-1");

  private static final Map<String, String> COMPACTED =
      Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);

  /**
   * All topics.
   *
   * @param indexes the names of the instance's indexes
   */
  public List<NewTopic> topics(Collection<String> indexes) {
    var all = new ArrayList<NewTopic>();
    all.add(topic(topics.cells(), Map.of()));
    all.add(topic(topics.mesh(), BY_ARRIVAL));
    all.add(topic(topics.rejected(), BY_ARRIVAL));
    all.add(topic(topics.unindexed(), BY_ARRIVAL));
    all.addAll(topicsOfTriggers());
    all.add(topic(topics.heartbeat(), 1, COMPACTED));
    all.add(topicOfMeshPlaces());
    all.add(topic(topics.checkpoint(), CheckpointTopic.settings()));
    all.add(topic(topics.passes(), 1, PassTopic.settings()));
    for (var index : indexes) {
      all.add(topic(topics.index(index), COMPACTED));
    }
    if (shape == LogShape.PARTITION) {
      all.add(topic(topics.log(), KEPT));
    } else {
      for (int shard = 0; shard < shards.count(); shard++) {
        all.add(topic(topics.log(shard), 1, KEPT));
      }
    }
    return all;
  }

  /** What the indexes of a pass need. */
  List<NewTopic> topicsOfPass(Collection<String> indexes, String pass) {
    var all = new ArrayList<NewTopic>();
    indexes.forEach(index -> all.add(topic(topics.index(index), COMPACTED)));
    all.add(topic(topics.indexBackfill(pass), UNTIL_READ));
    return all;
  }

  /** What a data centre remembers of its links. */
  NewTopic topicOfMeshPlaces() {
    return topic(topics.meshPlace(), 1, StateTopic.settingsOfPlaces());
  }

  /** What all triggers share. */
  List<NewTopic> topicsOfTriggers() {
    return List.of(topic(topics.triggerState(), StateTopic.settings()), parked());
  }

  /** A parked record has more headers than it had in the log. */
  private NewTopic parked() {
    var configs = new HashMap<>(KEPT);
    configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE + HEADERS));
    return topic(topics.parked(), configs);
  }

  /** The topic of a column that {@code trigger.columns} names; kept, as the log is. */
  NewTopic topicOfTrigger(String column) {
    return topic(topics.trigger(column), KEPT);
  }

  /**
   * What a data centre has for one that joins: it stays until that has been read.
   *
   * @param datacenter that joins
   */
  NewTopic topicOfSeed(String datacenter) {
    var configs = new HashMap<>(KEPT);
    configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);
    return topic(topics.seed(datacenter), configs);
  }

  private NewTopic topic(String name, Map<String, String> more) {
    return topic(name, shards.partitions(), more);
  }

  private NewTopic topic(String name, int partitions, Map<String, String> more) {
    var configs = new HashMap<>(more);
    configs.putIfAbsent(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE));
    return new NewTopic(name, Optional.of(partitions), factor()).configs(configs);
  }

  private Optional<Short> factor() {
    return replication < 0 ? Optional.empty() : Optional.of(replication);
  }
}
