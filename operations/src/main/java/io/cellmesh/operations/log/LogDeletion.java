package io.cellmesh.operations.log;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Deletes what the log holds. Nobody may write to it meanwhile. */
final class LogDeletion {
  private final KafkaAccess kafka;
  private final List<TopicPartition> partitions;

  LogDeletion(KafkaAccess kafka, Topology topology, LogShape shape) {
    this.kafka = kafka;
    this.partitions = shape.all(topology);
  }

  /** Records, and markers of transactions, that the log holds now. */
  long retained() throws InterruptedException {
    try (var admin = Consumers.admin(kafka)) {
      return total(offsets(admin, OffsetSpec.latest()))
          - total(offsets(admin, OffsetSpec.earliest()));
    }
  }

  /** Deletes every record up to the present end of every partition. */
  void run() throws InterruptedException {
    try (var admin = Consumers.admin(kafka)) {
      var deletions = new HashMap<TopicPartition, RecordsToDelete>();
      offsets(admin, OffsetSpec.latest())
          .forEach((at, end) -> deletions.put(at, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(deletions).all().get();
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  private Map<TopicPartition, Long> offsets(Admin admin, OffsetSpec which)
      throws InterruptedException {
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    partitions.forEach(partition -> wanted.put(partition, which));
    try {
      var offsets = new HashMap<TopicPartition, Long>();
      admin.listOffsets(wanted).all().get().forEach((at, info) -> offsets.put(at, info.offset()));
      return offsets;
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  private static long total(Map<TopicPartition, Long> offsets) {
    return offsets.values().stream().mapToLong(Long::longValue).sum();
  }

  private static KafkaException failed(ExecutionException e) {
    return new KafkaException("the log: " + e.getCause().getMessage(), e.getCause());
  }
}
