package io.cellmesh.topics;

import io.cellmesh.deployment.MissingRightException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/** How far a consumer group stands behind the end of a topic. */
public final class GroupLag {
  private GroupLag() {}

  /** The committed offsets of a group; empty if it has none. */
  public static Map<TopicPartition, OffsetAndMetadata> committed(Admin admin, String group)
      throws InterruptedException {
    try {
      return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException refusal) {
        throw MissingRightException.of("Describe", "group " + group, refusal);
      }
      throw new KafkaException("group " + group + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * Records that the group has not committed yet. A partition without a committed offset counts
   * from the first retained record.
   */
  public static long of(Map<TopicPartition, OffsetAndMetadata> committed, TopicOffsets topic) {
    long lag = 0;
    for (int partition = 0; partition < topic.partitions(); partition++) {
      var offset = committed.get(topic.partition(partition));
      long next = offset == null ? topic.begin(partition) : offset.offset();
      lag += Math.max(0, topic.end(partition) - next);
    }
    return lag;
  }
}
