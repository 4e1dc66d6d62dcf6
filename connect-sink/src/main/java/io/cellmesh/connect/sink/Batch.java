package io.cellmesh.connect.sink;

import io.cellmesh.cell.Cell;
import io.cellmesh.connect.converter.ConvertedValue;
import io.cellmesh.connect.sink.base.Converters;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Packet;
import io.cellmesh.storage.RecordDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/** Some consecutive records of some partitions: a range of offsets of each. */
record Batch(Collection<Range> ranges, Collection<SinkRecord> records) {
  static final Batch NONE = new Batch(List.of(), List.of());

  /** The ranges, of either topic, of one partition number. */
  List<Range> rangesOf(int partition) {
    return ranges.stream().filter(range -> range.partition() == partition).toList();
  }

  /** Of the records' values. */
  long bytes() {
    return records.stream().mapToLong(Batch::bytes).sum();
  }

  /**
   * Bytes of a record's value, as JSON.
   *
   * @throws RetriableException if it can't be read now
   */
  static long bytes(SinkRecord record) {
    if (record.value() instanceof ConvertedValue converted) {
      return converted.size();
    }
    return record.value() instanceof byte[] value ? value.length : 0;
  }

  /** Bytes that the ledger keeps of a record's headers if its cell is a conflict, at most. */
  static long headerBytes(SinkRecord record) {
    long bytes = 0;
    for (var header : record.headers()) {
      bytes += Packet.ofHeader(header.key(), header.value() instanceof byte[] value ? value : null);
    }
    return bytes;
  }

  /** The partition numbers that have a range. */
  List<Integer> partitions() {
    return ranges.stream().map(Range::partition).distinct().toList();
  }

  /** What is left without some topics' partitions. */
  Batch without(Set<TopicPartition> left) {
    return left.isEmpty()
        ? this
        : new Batch(ranges.stream().filter(range -> !left.contains(range.at())).toList(), records);
  }

  /** The record that a cell came from, if it is one of this batch. */
  Optional<SinkRecord> record(String topic, int partition, long offset) {
    return records.stream()
        .filter(
            r ->
                r.originalKafkaOffset() == offset
                    && r.originalKafkaPartition() == partition
                    && r.originalTopic().equals(topic))
        .findFirst();
  }

  /** The records of one topic and partition, as the cells of each primary, in offset order. */
  static final class Range {
    private final TopicPartition at;
    private final IngestTopic topic;
    private final List<SinkRecord> records = new ArrayList<>();
    private final Map<String, List<OffsetCell>> cells = new HashMap<>();
    private Mark end;

    Range(TopicPartition at, IngestTopic topic) {
      this.at = at;
      this.topic = topic;
    }

    TopicPartition at() {
      return at;
    }

    IngestTopic topic() {
      return topic;
    }

    int partition() {
      return at.partition();
    }

    List<SinkRecord> records() {
      return records;
    }

    /** The offset of the first record. */
    long first() {
      return records.get(0).originalKafkaOffset();
    }

    /** The mark after the last record. */
    Mark end() {
      if (end == null) {
        var last = records.get(records.size() - 1);
        end = new Mark(last.originalKafkaOffset() + 1, digest(last));
      }
      return end;
    }

    /** The digest of the record with an offset, if the range has it. */
    Optional<Long> digestAt(long offset) {
      return records.stream()
          .filter(record -> record.originalKafkaOffset() == offset)
          .findFirst()
          .map(Range::digest);
    }

    /** The cells of a primary at or after an offset. */
    List<OffsetCell> cells(String primary, long from) {
      var all = cells.getOrDefault(primary, List.of());
      int skip = 0;
      while (skip < all.size() && all.get(skip).offset() < from) {
        skip++;
      }
      return all.subList(skip, all.size());
    }

    void add(String primary, long offset, int shard, Cell cell) {
      cells
          .computeIfAbsent(primary, name -> new ArrayList<>())
          .add(new OffsetCell(offset, shard, cell));
    }

    void seen(SinkRecord record) {
      records.add(record);
    }

    private static long digest(SinkRecord record) {
      return RecordDigest.of(
          Original.bytes(Converters.KEY, record.key()),
          Original.bytes(Converters.VALUE, record.value()));
    }
  }
}
