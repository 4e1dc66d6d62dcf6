package io.cellmesh.herb;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.deployment.KafkaAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a link's consumer group stands in its peer's log.
 *
 * @param admin of the peer's Kafka
 * @param kafka the peer's
 */
record LogGroup(Admin admin, KafkaAccess kafka, String group, String topic, int partitions) {

  /** What it has committed, by partition. */
  Map<Integer, Long> committed() throws InterruptedException {
    var committed = new HashMap<Integer, Long>();
    KafkaAnswer.of(
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), topic, kafka)
        .forEach(
            (at, offset) -> {
              if (at.topic().equals(topic) && offset != null) {
                committed.put(at.partition(), offset.offset());
              }
            });
    return committed;
  }

  /**
   * Judges by what the log still holds where to go on.
   *
   * @param next the offset of the next record to read, by partition, where it is known
   */
  List<ReadPlace> places(Map<Integer, Long> next) throws InterruptedException {
    var begins = offsets(OffsetSpec.earliest());
    var ends = offsets(OffsetSpec.latest());
    var places = new ArrayList<ReadPlace>();
    for (int p = 0; p < partitions; p++) {
      var at = new TopicPartition(topic, p);
      var offset = next.get(p);
      places.add(
          new ReadPlace(
              topic,
              p,
              offset == null ? OptionalLong.empty() : OptionalLong.of(offset),
              begins.get(at),
              ends.get(at)));
    }
    return places;
  }

  /** Commits, by partition; the group must have no members unless there is nothing to commit. */
  void commit(Map<Integer, Long> next) throws InterruptedException {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    next.forEach(
        (partition, offset) ->
            offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)));
    if (!offsets.isEmpty()) {
      KafkaAnswer.of(admin.alterConsumerGroupOffsets(group, offsets).all(), topic, kafka);
    }
  }

  private Map<TopicPartition, Long> offsets(OffsetSpec which) throws InterruptedException {
    var question = new HashMap<TopicPartition, OffsetSpec>();
    for (int p = 0; p < partitions; p++) {
      question.put(new TopicPartition(topic, p), which);
    }
    var offsets = new HashMap<TopicPartition, Long>();
    KafkaAnswer.of(admin.listOffsets(question).all(), topic, kafka)
        .forEach((at, found) -> offsets.put(at, found.offset()));
    return offsets;
  }
}
