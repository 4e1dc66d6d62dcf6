package io.cellmesh.herb;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer of the peer's log that tells each place before it is committed with the peer. Streams
 * flushes the producer before it commits; so the place is told behind the cells. It is held to a
 * pace: it asks for more when the time for what it had is over.
 */
final class PlacingConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Consumer<Map<Integer, Long>> places;
  private final Pace pace;

  /**
   * @param places is told the offset of the next record to read, by partition; nothing is committed
   *     if it throws
   * @param pace of all threads of the link
   */
  PlacingConsumer(Map<String, Object> settings, Consumer<Map<Integer, Long>> places, Pace pace) {
    super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.places = places;
    this.pace = pace;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    try {
      pace.await();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    var records = super.poll(timeout);
    long bytes = 0;
    for (var record : records) {
      bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }
    pace.took(bytes);
    return records;
  }

  /** The one way in which Streams commits in its at-least-once mode. */
  @Override
  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    var next = new HashMap<Integer, Long>();
    offsets.forEach((at, offset) -> next.put(at.partition(), offset.offset()));
    places.accept(next);
    super.commitSync(offsets);
  }
}
