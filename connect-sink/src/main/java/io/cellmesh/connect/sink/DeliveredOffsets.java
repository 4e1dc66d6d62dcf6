package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.Original;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Knows which of the offsets that Connect takes for consumed may have records below them that never
 * came (invariants 4 and 5).
 *
 * <p>When a rebalance takes a partition whose records a delivery has failed with, {@code
 * WorkerSinkTask} of Kafka 4.3.1 forgets those records and not their offsets ({@code
 * closePartitions} clears {@code origOffsets} of lost partitions alone). If the task gets the
 * partition back, the next delivery that does not fail, be it empty, counts them as consumed: a
 * commit would skip them, and retention take them. So a partition like that is left out until its
 * records come, as they will, from where the group stands. Connect names partitions as they are in
 * Kafka, whatever a transformation has made of their topic. Not thread-safe.
 */
final class DeliveredOffsets {
  /** What the last deliveries failed with, and none has brought since. */
  private final Set<TopicPartition> failed = new HashSet<>();

  private final Set<TopicPartition> doubtful = new HashSet<>();

  /** A delivery failed: its records come again, unless a rebalance takes them away. */
  void failed(Collection<SinkRecord> records) {
    records.forEach(record -> failed.add(Original.partitionOf(record)));
  }

  /** A delivery did not fail: from now on Connect takes for consumed all that failed before. */
  void delivered(Collection<SinkRecord> records) {
    doubtful.addAll(failed);
    failed.clear();
    records.forEach(record -> doubtful.remove(Original.partitionOf(record)));
  }

  /** Partitions are owned anew: Connect asks Kafka where the group stands. */
  void opened(Collection<TopicPartition> partitions) {
    doubtful.removeAll(partitions);
  }

  /** Those of Connect's offsets below which every record came. */
  Map<TopicPartition, OffsetAndMetadata> trusted(Map<TopicPartition, OffsetAndMetadata> seen) {
    var trusted = new HashMap<>(seen);
    trusted.keySet().removeAll(doubtful);
    return trusted;
  }
}
