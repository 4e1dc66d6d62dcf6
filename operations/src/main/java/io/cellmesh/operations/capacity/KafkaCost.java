package io.cellmesh.operations.capacity;

import io.cellmesh.cell.Topics;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.topics.LogShape;
import java.util.List;

/**
 * What the brokers of a data centre hold.
 *
 * @param topics of the instance
 * @param partitions of these topics
 * @param replicas of a broker, with those of Kafka's and Connect's own topics
 * @param bytes a second that all disks together grow by
 */
public record KafkaCost(int topics, double partitions, double replicas, double bytes) {
  /** Of groups, transactions, and Connect's offsets, status and configuration. */
  private static final int KAFKAS_OWN = 50 + 50 + 25 + 5 + 1;

  /** A pass has a topic for its index, at least, and one for backfilling. */
  private static final int TOPICS_OF_PASS = 2;

  /** What a link leaves of its batches' bytes (lz4), as docs/herb-replicator.md has it. */
  static final double COMPRESSED = 0.35;

  static KafkaCost of(Layout layout, Load load) {
    var shards = layout.shards();
    var plan =
        new TopicPlan(
            new Topics("sized"), shards, LogShape.PARTITION, (short) layout.replication());
    var topics = plan.topics(List.of());
    int passes = layout.passes() * TOPICS_OF_PASS;
    double partitions =
        topics.stream().mapToInt(topic -> topic.numPartitions()).sum()
            + (double) passes * shards.partitions();
    double own = load.rate() * load.bytes();
    double peers = (layout.datacenters() - 1) * own;
    double written = own + peers * COMPRESSED + own + peers;
    return new KafkaCost(
        topics.size() + passes,
        partitions,
        (partitions + KAFKAS_OWN) * layout.replication() / layout.brokers(),
        written * layout.replication());
  }
}
