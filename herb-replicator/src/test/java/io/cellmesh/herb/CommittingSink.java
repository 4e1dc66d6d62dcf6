package io.cellmesh.herb;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What a sink is to links: offsets that it commits.
 *
 * @param kafka of its data centre
 */
record CommittingSink(KafkaAccess kafka, Topics topics) {
  /** Commits an offset of some partitions of the mesh topic. */
  void passed(int from, int to, long next) throws Exception {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (int partition = from; partition < to; partition++) {
      offsets.put(new TopicPartition(topics.mesh(), partition), new OffsetAndMetadata(next));
    }
    commit(offsets);
  }

  /** Commits one of a partition of the data centre's own cells. */
  void passedOwn(long next) throws Exception {
    commit(Map.of(new TopicPartition(topics.cells(), 0), new OffsetAndMetadata(next)));
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) throws Exception {
    try (var admin = KafkaAnswer.admin(kafka)) {
      var group = InstanceNames.cellSink(topics.instance());
      KafkaAnswer.of(admin.alterConsumerGroupOffsets(group, offsets).all(), group);
    }
  }
}
