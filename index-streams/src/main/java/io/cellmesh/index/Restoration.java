package io.cellmesh.index;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows which partitions' state is being restored, and how many records that still takes. */
final class Restoration implements StateRestoreListener {
  private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);

  private final Map<TopicPartition, Long> left = new ConcurrentHashMap<>();

  int partitions() {
    return left.size();
  }

  long records() {
    return left.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long from, long end) {
    left.put(changelog, end - from);
  }

  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long offset, long records) {
    left.computeIfPresent(changelog, (p, known) -> Math.max(0, known - records));
  }

  @Override
  public void onRestoreEnd(TopicPartition changelog, String store, long records) {
    left.remove(changelog);
    if (records > 0) {
      LOG.info("Restored {}: {} records", changelog, records);
    }
  }

  @Override
  public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
    left.remove(changelog);
  }
}
