package io.cellmesh.deployment.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Records of a log, with the place behind them. One without records shows how far the sender has
 * come.
 *
 * @param stretches what it covers, each partition once at most
 * @param newest the time of the record that was looked at last, in milliseconds since 1970; {@link
 *     #NONE} if none was
 * @param others cells of other data centres that were left out, by their origins
 * @param records to the byte as they stand in the log, in its order within each partition
 */
public record Batch(
    List<Stretch> stretches,
    long newest,
    Map<String, Long> others,
    List<ConsumerRecord<byte[], byte[]>> records) {
  /** No time. */
  public static final long NONE = -1;

  /** Most stretches, and most other data centres: what two bytes without a sign can count. */
  static final int MAX_COUNT = 0xffff;

  /**
   * @throws IllegalArgumentException if a partition stands there twice, or a record is in no
   *     stretch or behind a later one
   */
  public Batch {
    stretches = List.copyOf(stretches);
    others = Map.copyOf(others);
    records = List.copyOf(records);
    if (stretches.size() > MAX_COUNT || others.size() > MAX_COUNT) {
      throw new IllegalArgumentException("more than " + MAX_COUNT + " stretches or origins");
    }
    checkOrder(stretches, records);
  }

  private static void checkOrder(
      List<Stretch> stretches, List<ConsumerRecord<byte[], byte[]>> records) {
    var ends = new HashMap<Integer, Long>();
    var next = new HashMap<Integer, Long>();
    for (var stretch : stretches) {
      ends.put(stretch.partition(), stretch.next());
      if (next.put(stretch.partition(), stretch.from()) != null) {
        throw new IllegalArgumentException(
            "partition %d stands there twice".formatted(stretch.partition()));
      }
    }
    for (var record : records) {
      long lowest = next.getOrDefault(record.partition(), Long.MAX_VALUE);
      if (record.offset() < lowest
          || record.offset() >= ends.getOrDefault(record.partition(), 0L)) {
        throw new IllegalArgumentException(
            "offset %d of partition %d is out of its order"
                .formatted(record.offset(), record.partition()));
      }
      next.put(record.partition(), record.offset() + 1);
    }
  }
}
