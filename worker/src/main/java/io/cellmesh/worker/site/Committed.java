package io.cellmesh.worker.site;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offsets that the sink has committed: what lies before them is secured. Nobody waits for
 * Kafka; whoever asks gets what was last heard, which can only be too little, and has it asked
 * again if that is a while ago. Thread-safe.
 */
final class Committed {
  private static final Logger LOG = LoggerFactory.getLogger(Committed.class);
  private static final Duration FRESH = Duration.ofMillis(100);

  private final Supplier<Admin> admin;
  private final String group;
  private final String topic;
  private final LongSupplier clock;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Map<Integer, Long> next = Map.of();
  private volatile long asked;

  Committed(Supplier<Admin> admin, Topics topics, LongSupplier clock) {
    this.admin = admin;
    this.group = InstanceNames.cellSink(topics.instance());
    this.topic = topics.cells();
    this.clock = clock;
    this.asked = clock.getAsLong() - FRESH.toNanos();
  }

  /** By partition of the ingest topic, the next offset that is not committed. */
  Map<Integer, Long> next() {
    if (clock.getAsLong() - asked >= FRESH.toNanos() && asking.compareAndSet(false, true)) {
      asked = clock.getAsLong();
      ask();
    }
    return next;
  }

  private void ask() {
    try {
      admin
          .get()
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .whenComplete(this::heard);
    } catch (RuntimeException | Error e) {
      heard(Map.of(), e);
    }
  }

  private void heard(Map<TopicPartition, OffsetAndMetadata> offsets, Throwable e) {
    try {
      if (e == null) {
        next = ofTopic(offsets);
      } else {
        LOG.warn("group {}: {}", group, e.getMessage());
      }
    } finally {
      // Whatever it met: as long as this one is said to ask nobody else does.
      asking.set(false);
    }
  }

  private Map<Integer, Long> ofTopic(Map<TopicPartition, OffsetAndMetadata> offsets) {
    var mine = new HashMap<Integer, Long>();
    offsets.forEach(
        (at, offset) -> {
          if (at.topic().equals(topic) && offset != null) {
            mine.put(at.partition(), offset.offset());
          }
        });
    return Map.copyOf(mine);
  }
}
