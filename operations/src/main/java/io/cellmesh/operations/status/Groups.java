package io.cellmesh.operations.status;

import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The committed offsets of all consumer groups of a Kafka cluster at one moment. */
final class Groups {
  private final Admin admin;
  private final Map<String, Map<TopicPartition, OffsetAndMetadata>> committed;

  private Groups(Admin admin, Map<String, Map<TopicPartition, OffsetAndMetadata>> committed) {
    this.admin = admin;
    this.committed = committed;
  }

  static Groups of(Admin admin) throws InterruptedException {
    try {
      var committed = new HashMap<String, Map<TopicPartition, OffsetAndMetadata>>();
      for (var group : admin.listGroups().all().get()) {
        committed.put(group.groupId(), GroupLag.committed(admin, group.groupId()));
      }
      return new Groups(admin, committed);
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * How far a group stands behind the end of a topic; everything that the topic retains, if there
   * is no such group.
   *
   * @throws KafkaException if the user may not look at the group
   */
  long lag(String group, TopicOffsets topic) throws InterruptedException {
    if (!committed.containsKey(group)) {
      // Kafka leaves out of its list what a user may not see; asked for it by name, it says so.
      GroupLag.committed(admin, group);
    }
    return GroupLag.of(committed.getOrDefault(group, Map.of()), topic);
  }
}
