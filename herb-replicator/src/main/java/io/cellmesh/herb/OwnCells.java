package io.cellmesh.herb;

import io.cellmesh.herb.wire.Batch;
import io.cellmesh.herb.wire.BatchWriter;
import io.cellmesh.herb.wire.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a log from a place on and makes batches of the cells of its own origin. What can't be told
 * to be another's goes along to the byte: whoever reads it judges it. One thread at a time.
 */
final class OwnCells implements AutoCloseable {
  /** A batch ends with the record with which it has as many bytes. */
  static final int CUT_BYTES = 1 << 20;

  /** More than any cell has; behind what was not cut yet there is still room for it in a batch. */
  static final int MOST_RECORD_BYTES = 8 << 20;

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final String own;
  private final OriginFilter filter;
  private final Map<Integer, Long> next;

  /**
   * @param consumer closed with this one
   * @param own the data centre whose cells are wanted
   * @param next the offset of the first record that is wanted, by partition
   */
  OwnCells(Consumer<byte[], byte[]> consumer, String topic, String own, Map<Integer, Long> next) {
    this.consumer = consumer;
    this.topic = topic;
    this.own = own;
    this.filter = new OriginFilter(own);
    this.next = new TreeMap<>(next);
    consumer.assign(next.keySet().stream().map(this::at).toList());
    next.forEach((partition, offset) -> consumer.seek(at(partition), offset));
  }

  /**
   * Waits for records; the last batch says of every partition how far the reading is, also if
   * nothing came.
   *
   * @throws org.apache.kafka.common.KafkaException if Kafka refuses, or no longer has what comes
   *     next
   */
  List<Batch> poll(Duration wait) {
    var polled = consumer.poll(wait);
    var batches = new ArrayList<Batch>();
    var filling = new Filling();
    for (var at : polled.partitions()) {
      for (var record : polled.records(at)) {
        filling.look(record);
        if (filling.bytes >= CUT_BYTES) {
          batches.add(filling.end());
          filling = new Filling();
        }
      }
    }
    for (var partition : next.keySet()) {
      // Behind marks of transactions, too.
      filling.reach(partition, consumer.position(at(partition)));
    }
    batches.add(filling.end());
    return batches;
  }

  @Override
  public void close() {
    consumer.close();
  }

  private TopicPartition at(int partition) {
    return new TopicPartition(topic, partition);
  }

  /** A batch that is not full yet. */
  private final class Filling {
    private final Map<Integer, Long> from = new TreeMap<>();
    private final Map<String, Long> others = new TreeMap<>();
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private long newest = Batch.NONE;
    private int bytes;

    void look(ConsumerRecord<byte[], byte[]> record) {
      newest = Math.max(Batch.NONE, record.timestamp());
      reach(record.partition(), record.offset() + 1);
      var other = otherOrigin(record);
      if (other.isEmpty()) {
        var carried = carried(record);
        records.add(carried);
        bytes += SetAside.size(carried);
      } else {
        others.merge(OriginFilter.shortened(other), 1L, Long::sum);
      }
    }

    void reach(int partition, long offset) {
      from.putIfAbsent(partition, next.get(partition));
      next.put(partition, offset);
    }

    Batch end() {
      var stretches = new ArrayList<Stretch>();
      from.forEach(
          (partition, begin) -> {
            long reached = next.get(partition);
            stretches.add(new Stretch(partition, begin, reached, end(partition, reached)));
          });
      return new Batch(stretches, newest, others, records);
    }

    private long end(int partition, long reached) {
      var at = at(partition);
      return Math.max(reached, consumer.position(at) + consumer.currentLag(at).orElse(0));
    }
  }

  /** To the byte, unless no batch could have it: nobody's cell is like that. */
  private static ConsumerRecord<byte[], byte[]> carried(ConsumerRecord<byte[], byte[]> record) {
    return SetAside.size(record) > MOST_RECORD_BYTES || !BatchWriter.hasRoomFor(record.headers())
        ? SetAside.named(record)
        : record;
  }

  /** By its header, or where there is none by its envelope; empty if it may be one's own. */
  private String otherOrigin(ConsumerRecord<byte[], byte[]> record) {
    if (OriginFilter.header(record).isPresent()) {
      return filter.otherOrigin(record).orElse("");
    }
    try {
      var origin = MeshRecord.of(record.value()).origin();
      return origin.equals(own) ? "" : origin;
    } catch (CorruptLogException e) {
      return "";
    }
  }
}
