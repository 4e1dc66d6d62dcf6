package io.cellmesh.e2e.log;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a log says: every cell by its first occurrence, and how many came again. */
final class LogContents implements AutoCloseable {
  private final EnvelopeReader envelopes = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT);
  private final Shardwise first = new Shardwise();
  private final Shardwise all = new Shardwise();
  private final Set<CellKey> seen = new HashSet<>();

  /**
   * A topic from some offsets up to its present end.
   *
   * @param from an offset for each partition
   */
  static LogContents read(FaultStack stack, String topic, List<Long> from) {
    try (var contents = new LogContents();
        var client = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      var ends = TopicOffsets.of(client, topic);
      for (int partition = 0; partition < ends.partitions(); partition++) {
        new PartitionReader(client)
            .read(
                ends.partition(partition), from.get(partition), ends.end(partition), contents::add);
      }
      return contents;
    }
  }

  /** A whole topic, as far as it goes now. */
  static LogContents read(FaultStack stack, String topic) {
    try (var client = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      return read(stack, topic, TopicOffsets.of(client, topic).begin());
    }
  }

  /** The ends of a topic's partitions. */
  static List<Long> ends(FaultStack stack, String topic) {
    try (var client = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      return TopicOffsets.of(client, topic).end();
    }
  }

  /** Adds a record; returns it, and whether it is the first of its cell. */
  Added add(ConsumerRecord<byte[], byte[]> record) {
    try {
      var log = envelopes.readLog(record.key(), record.value());
      all.add(log.shard(), Entry.of(log));
      boolean isFirst = seen.add(log.cell().key());
      if (isFirst) {
        first.add(log.shard(), Entry.of(log));
      }
      return new Added(log, isFirst);
    } catch (InvalidCellException e) {
      throw new AssertionError("no record of a log: " + record, e);
    }
  }

  record Added(LogRecord log, boolean isFirst) {}

  /** Every cell once, where it came first. */
  Shardwise first() {
    return first;
  }

  /** Every record. */
  Shardwise all() {
    return all;
  }

  long repeated() {
    return all.size() - first.size();
  }

  @Override
  public void close() {
    envelopes.close();
  }
}
