package io.cellmesh.connect.sink;

import io.cellmesh.cell.Cell;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.sink.SinkRecord;

/** What one call of {@code put} brought: a range of offsets for each topic and partition. */
record Batch(Collection<Range> ranges, Collection<SinkRecord> records) {

  /** The ranges, of either topic, of one partition number. */
  List<Range> rangesOf(int partition) {
    return ranges.stream().filter(range -> range.partition() == partition).toList();
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
    private final IngestTopic topic;
    private final int partition;
    private final long first;
    private final Map<String, List<OffsetCell>> cells = new HashMap<>();
    private long next;

    Range(IngestTopic topic, int partition, long first) {
      this.topic = topic;
      this.partition = partition;
      this.first = first;
      this.next = first;
    }

    IngestTopic topic() {
      return topic;
    }

    int partition() {
      return partition;
    }

    /** The offset of the first record. */
    long first() {
      return first;
    }

    /** The offset after the last record. */
    long next() {
      return next;
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

    void add(String primary, long offset, Cell cell) {
      cells.computeIfAbsent(primary, name -> new ArrayList<>()).add(new OffsetCell(offset, cell));
    }

    void seen(long offset) {
      next = offset + 1;
    }
  }
}
