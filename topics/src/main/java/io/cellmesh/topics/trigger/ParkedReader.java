package io.cellmesh.topics.trigger;

import io.cellmesh.topics.PartitionReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the records that wait in {@code trips.parked}, by the markers of their rows. */
public final class ParkedReader {
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client;
  private final String topic;
  private final TriggerName trigger;

  /**
   * @param client that reads what is committed and belongs to no group; its assignment changes
   * @param topic of parked records
   */
  public ParkedReader(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client,
      String topic,
      TriggerName trigger) {
    this.client = client;
    this.topic = topic;
    this.trigger = trigger;
  }

  /**
   * Hands on the records of rows that are still to be replayed or discarded, in their order.
   *
   * @param partition of the rows
   * @param rows with their markers
   * @throws org.apache.kafka.common.KafkaException if no record comes for half a minute
   */
  public void read(
      int partition, Map<UUID, ParkedRow> rows, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    if (!rows.isEmpty()) {
      readWhile(() -> true, partition, rows, sink);
    }
  }

  /**
   * Hands on the records of one row that are still to be replayed or discarded, in their order, as
   * long as there is to be more of them.
   *
   * @param more asked each time that some offsets were passed
   * @param partition of the row
   * @return the offset to read on from, behind the row's last if all were handed on
   * @throws org.apache.kafka.common.KafkaException if no record comes for half a minute
   */
  public long readWhile(
      BooleanSupplier more,
      int partition,
      UUID row,
      ParkedRow marker,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    return readWhile(more, partition, Map.of(row, marker), sink);
  }

  private long readWhile(
      BooleanSupplier more,
      int partition,
      Map<UUID, ParkedRow> rows,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    var byKey = new HashMap<String, ParkedRow>();
    rows.forEach((row, marker) -> byKey.put(row.toString(), marker));
    long from = rows.values().stream().mapToLong(ParkedRow::next).min().orElseThrow();
    long last = rows.values().stream().mapToLong(ParkedRow::last).max().orElseThrow();
    return new PartitionReader(client)
        .readWhile(
            more,
            new TopicPartition(topic, partition),
            from,
            last + 1,
            record -> {
              var marker = record.key() == null ? null : byKey.get(text(record.key()));
              if (marker != null
                  && record.offset() >= marker.next()
                  && record.offset() <= marker.last()
                  && ParkedRecord.isOf(trigger, record)) {
                sink.accept(record);
              }
            });
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
