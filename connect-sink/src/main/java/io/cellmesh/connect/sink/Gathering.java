package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.base.Original.partitionOf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Lets the few records of a poll wait for those of the next one where polls follow each other at
 * once. Kafka's consumer asks for more before it hands out what it has, and the broker answers as
 * soon as there is one record: what a poll brings at once came early in the delivery before it, and
 * what came later is in the answer to the question that this poll has just sent. Written alone, the
 * few would keep the others waiting for a whole delivery. It costs a poll, which is answered at
 * once.
 *
 * <p>For Connect records that wait are consumed; for everybody else they have not come ({@link
 * #before}). Only records that follow on what was read wait, so that nothing can be missing between
 * them. Not thread-safe.
 */
final class Gathering {
  /** So many records are worth a delivery of their own. */
  static final int FEW = 64;

  /** A poll that ends so soon after a delivery brings what came in the course of it. */
  static final long AT_ONCE = TimeUnit.MILLISECONDS.toNanos(2);

  /** The next poll takes no longer than this, in milliseconds, if it finds no more. */
  static final long LONGEST = 2;

  private List<SinkRecord> early = List.of();
  private long ended;

  /** Whether the last poll brought a few records at once: one may be chance, two are a flow. */
  private boolean flow;

  /**
   * @param now of {@link System#nanoTime}
   */
  Gathering(long now) {
    this.ended = now - AT_ONCE;
  }

  /**
   * Keeps what a poll brought if it is to wait for the next one.
   *
   * @param read up to where a topic's partition was read; negative if it was not
   * @return whether it waits
   */
  boolean keeps(Collection<SinkRecord> records, long now, ToLongFunction<TopicPartition> read) {
    if (!early.isEmpty()) {
      flow = !records.isEmpty();
      return false;
    }
    boolean flowed = flow;
    flow = !records.isEmpty() && records.size() < FEW && now - ended < AT_ONCE;
    if (flowed && flow && follow(records, read)) {
      early = List.copyOf(records);
    }
    return !early.isEmpty();
  }

  /**
   * What is to be written, with what has waited: as if one poll had brought it where it joins, else
   * one after the other, since something may be missing between them.
   */
  List<Collection<SinkRecord>> with(Collection<SinkRecord> records) {
    if (early.isEmpty()) {
      return List.of(records);
    }
    if (records.isEmpty()) {
      return List.of(early);
    }
    if (!join(early, records)) {
      return List.of(early, records);
    }
    var all = new ArrayList<>(early);
    all.addAll(records);
    return List.of(all);
  }

  /** Forgets what has waited: it is written. */
  void written() {
    early = List.of();
  }

  /** A delivery has ended well. */
  void ended(long now) {
    ended = now;
  }

  /** Forgets what waits of partitions that this task has lost: it comes again to their owner. */
  void forget(Collection<TopicPartition> partitions) {
    early = early.stream().filter(record -> !partitions.contains(partitionOf(record))).toList();
  }

  /** Connect's offsets as they would be if what waits had not come. */
  Map<TopicPartition, OffsetAndMetadata> before(Map<TopicPartition, OffsetAndMetadata> seen) {
    var before = new HashMap<>(seen);
    for (var record : early) {
      long offset = record.originalKafkaOffset();
      before.computeIfPresent(
          partitionOf(record),
          (at, consumed) -> consumed.offset() <= offset ? consumed : new OffsetAndMetadata(offset));
    }
    return before;
  }

  /** Whether the first record of each partition is the next one that was to come. */
  private static boolean follow(
      Collection<SinkRecord> records, ToLongFunction<TopicPartition> read) {
    return firsts(records).entrySet().stream()
        .allMatch(first -> first.getValue() == read.applyAsLong(first.getKey()));
  }

  /** Whether records go on where those before them of the same partition end. */
  private static boolean join(List<SinkRecord> before, Collection<SinkRecord> records) {
    var ends = new HashMap<TopicPartition, Long>();
    before.forEach(record -> ends.put(partitionOf(record), record.originalKafkaOffset() + 1));
    return firsts(records).entrySet().stream()
        .allMatch(
            first -> first.getValue().equals(ends.getOrDefault(first.getKey(), first.getValue())));
  }

  private static Map<TopicPartition, Long> firsts(Collection<SinkRecord> records) {
    var firsts = new HashMap<TopicPartition, Long>();
    records.forEach(
        record -> firsts.putIfAbsent(partitionOf(record), record.originalKafkaOffset()));
    return firsts;
  }
}
