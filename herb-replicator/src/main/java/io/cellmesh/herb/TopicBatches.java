package io.cellmesh.herb;

import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchWriter;
import io.cellmesh.deployment.wire.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a topic from a place on and makes batches of what a peer is to have of it. What goes along
 * goes to the byte: whoever reads it judges it. One thread at a time.
 */
final class TopicBatches implements AutoCloseable {
  /** A batch ends with the record with which it has as many bytes. */
  static final int CUT_BYTES = 1 << 20;

  /** More than any cell has; behind what was not cut yet there is still room for it in a batch. */
  static final int MOST_RECORD_BYTES = 8 << 20;

  /** Records that its consumer takes at once. */
  static final int POLLED = 1_000;

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Filter filter;
  private final Map<Integer, Long> next;
  private final LogEnds ends;

  /** Says what a peer is not to have. */
  interface Filter {
    /** Takes everything. */
    Filter NONE = record -> "";

    /** The data centre of which a record that stays here tells; empty if it goes along. */
    String leftOut(ConsumerRecord<byte[], byte[]> record);
  }

  /**
   * @param consumer closed with this one
   * @param next the offset of the first record that is wanted, by partition
   */
  TopicBatches(
      Consumer<byte[], byte[]> consumer, String topic, Filter filter, Map<Integer, Long> next) {
    this.consumer = consumer;
    this.topic = topic;
    this.filter = filter;
    this.next = new TreeMap<>(next);
    this.ends = new LogEnds(consumer, POLLED);
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
    ends.look(positions());
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

  /** Whether it has read up to some offsets. */
  boolean hasReached(Map<Integer, Long> ends) {
    return next.entrySet().stream().allMatch(at -> at.getValue() >= ends.get(at.getKey()));
  }

  @Override
  public void close() {
    consumer.close();
  }

  private Map<TopicPartition, Long> positions() {
    return next.keySet().stream()
        .map(this::at)
        .collect(Collectors.toMap(Function.identity(), consumer::position));
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
      var other = filter.leftOut(record);
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
            long polled = consumer.position(at(partition));
            long end = Math.max(reached, ends.of(at(partition), polled));
            stretches.add(new Stretch(partition, begin, reached, end));
          });
      return new Batch(stretches, newest, others, records);
    }
  }

  /** To the byte, unless no batch could have it: nobody's cell is like that. */
  private static ConsumerRecord<byte[], byte[]> carried(ConsumerRecord<byte[], byte[]> record) {
    return SetAside.size(record) > MOST_RECORD_BYTES || !BatchWriter.hasRoomFor(record.headers())
        ? SetAside.named(record)
        : record;
  }
}
