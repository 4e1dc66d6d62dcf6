package io.cellmesh.herb;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer of the peer's log that tells each place before it is committed with the peer. Streams
 * flushes the producer before it commits; so the place is told behind the cells.
 */
final class PlacingConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Consumer<Map<Integer, Long>> places;

  /**
   * @param places is told the offset of the next record to read, by partition; nothing is committed
   *     if it throws
   */
  PlacingConsumer(Map<String, Object> settings, Consumer<Map<Integer, Long>> places) {
    super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.places = places;
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
