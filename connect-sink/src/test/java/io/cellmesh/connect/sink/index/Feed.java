package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/** Topics in memory with Connect's side of a task: it polls, seeks and commits. */
final class Feed {
  private final String topic;
  private final Shards shards;
  private final IndexEntryCodec codec;
  private final Map<TopicPartition, List<SinkRecord>> log =
      new TreeMap<>(
          Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition));
  private final Map<TopicPartition, Long> position = new HashMap<>();
  private final Map<TopicPartition, Long> committed = new HashMap<>();

  Feed(String topic, Shards shards, IndexEntryCodec codec) {
    this.topic = topic;
    this.shards = shards;
    this.codec = codec;
  }

  /** Appends an entry to the partition of its shard. */
  void append(IndexEntry entry) {
    append(shards.partitionOf(shards.of(entry.shardValue())), codec.key(entry), codec.value(entry));
  }

  /** Appends an entry of another index to its topic. */
  void append(String other, IndexEntryCodec its, IndexEntry entry) {
    int partition = shards.partitionOf(shards.of(entry.shardValue()));
    append(other, partition, its.key(entry), its.value(entry));
  }

  void append(int partition, byte[] key, byte[] value) {
    append(topic, partition, key, value);
  }

  private void append(String topic, int partition, byte[] key, byte[] value) {
    var records = log.computeIfAbsent(new TopicPartition(topic, partition), p -> new ArrayList<>());
    records.add(new SinkRecord(topic, partition, null, key, null, value, records.size()));
  }

  /**
   * Gives a sink what comes next of every partition, and commits what it allows.
   *
   * @param most records of a partition
   * @return whether something waits
   */
  boolean poll(IndexSink sink, int most) {
    var batch = new ArrayList<SinkRecord>();
    log.forEach(
        (at, records) -> {
          int from = Math.toIntExact(position.getOrDefault(at, 0L));
          int to = Math.min(records.size(), from + most);
          batch.addAll(records.subList(from, to));
          position.put(at, (long) to);
        });
    boolean waits = sink.put(batch, position::putAll);
    var seen =
        position.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> new OffsetAndMetadata(e.getValue())));
    sink.committable(seen).forEach((at, offset) -> committed.put(at, offset.offset()));
    return waits;
  }

  /** Whether everything is committed. */
  boolean done() {
    return log.entrySet().stream()
        .allMatch(e -> committed.getOrDefault(e.getKey(), 0L) == e.getValue().size());
  }

  /** Whether the sink has gone back to what some cluster lacks. */
  boolean behind() {
    return log.entrySet().stream()
        .anyMatch(e -> position.getOrDefault(e.getKey(), 0L) < e.getValue().size());
  }

  /** The offset that is committed for the partition of an entry. */
  long committed(IndexEntry entry) {
    int partition = shards.partitionOf(shards.of(entry.shardValue()));
    return committed.getOrDefault(new TopicPartition(topic, partition), 0L);
  }

  /** A new owner begins at the committed offsets. */
  void reassign() {
    position.clear();
    position.putAll(committed);
  }

  List<TopicPartition> partitions() {
    return List.copyOf(log.keySet());
  }
}
