package io.cellmesh.e2e;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.util.HashMap;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Takes the oldest records of a topic away, as its retention does. */
public final class ExpiredRecords {
  private ExpiredRecords() {}

  /** Takes all that there are. */
  public static void all(KafkaAccess kafka, String topic) throws Exception {
    before(kafka, topic, end -> end);
  }

  /** Takes the first half of each partition. */
  public static void firstHalf(KafkaAccess kafka, String topic) throws Exception {
    before(kafka, topic, end -> end / 2);
  }

  private static void before(KafkaAccess kafka, String topic, LongUnaryOperator ofTheEnd)
      throws Exception {
    try (var client = Consumers.open(kafka);
        var admin = Consumers.admin(kafka)) {
      var offsets = TopicOffsets.of(client, topic);
      var deletions = new HashMap<TopicPartition, RecordsToDelete>();
      for (int partition = 0; partition < offsets.partitions(); partition++) {
        long before = ofTheEnd.applyAsLong(offsets.end(partition));
        deletions.put(offsets.partition(partition), RecordsToDelete.beforeOffset(before));
      }
      admin.deleteRecords(deletions).all().get();
    }
  }
}
