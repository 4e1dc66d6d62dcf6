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

  List<ReadPlace> places() throws InterruptedException {
    var committed =
        KafkaAnswer.of(
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), topic, kafka);
    var begins = offsets(OffsetSpec.earliest());
    var ends = offsets(OffsetSpec.latest());
    var places = new ArrayList<ReadPlace>();
    for (int p = 0; p < partitions; p++) {
      var at = new TopicPartition(topic, p);
      var offset = committed.get(at);
      places.add(
          new ReadPlace(
              topic,
              p,
              offset == null ? OptionalLong.empty() : OptionalLong.of(offset.offset()),
              begins.get(at),
              ends.get(at)));
    }
    return places;
  }

  /** Commits the places that the group has not committed; it must have no members. */
  void commit(List<ReadPlace> places) throws InterruptedException {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (var place : places) {
      if (place.committed().isEmpty()) {
        offsets.put(
            new TopicPartition(topic, place.partition()), new OffsetAndMetadata(place.next()));
      }
    }
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
