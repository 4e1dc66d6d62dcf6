package io.cellmesh.herb;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer that is held to a pace: it asks for more when the time for what it had is over. */
final class PacedConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Pace pace;

  PacedConsumer(Map<String, Object> settings, Pace pace) {
    super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
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
      bytes += record.serializedKeySize() + record.serializedValueSize();
    }
    pace.took(bytes);
    return records;
  }
}
