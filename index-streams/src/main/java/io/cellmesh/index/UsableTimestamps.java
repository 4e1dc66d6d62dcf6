package io.cellmesh.index;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Gives each record a timestamp that entries may carry: its own, or now if it has none (Kafka's -1)
 * or one that has not come yet.
 *
 * <p>No index looks at a record's time. But Streams ends a thread for a negative one, and a broker
 * refuses an entry with one that is too far ahead; either would happen again for ever. Public,
 * because Streams makes it.
 */
public final class UsableTimestamps implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> log, long partitionTime) {
    long now = System.currentTimeMillis();
    return log.timestamp() < 0 ? now : Math.min(log.timestamp(), now);
  }
}
