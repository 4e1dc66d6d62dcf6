package io.cellmesh.connect.sink.base;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.ConnectException;

/** Makes the producer that rejected records are told with. */
final class RejectionsProducer implements Supplier<Producer<byte[], byte[]>> {
  /**
   * What a record can be at most before compression; above the largest body by far, since a record
   * that is no cell has no limit but its topic's, which counts compressed bytes.
   */
  private static final int MOST_BYTES = 32 << 20;

  private final DeadLetter.Sender sender;
  private final Map<String, Object> settings;

  /**
   * @throws ConnectException if the connector names no dead-letter topic
   */
  RejectionsProducer(StorageSettings connector) {
    this.sender =
        new DeadLetter.Sender(connector.rejected(), connector.name(), connector.taskNumber());
    this.settings = settings(connector.kafka());
  }

  DeadLetter.Sender sender() {
    return sender;
  }

  @Override
  public Producer<byte[], byte[]> get() {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Map<String, Object> settings(Map<String, Object> connector) {
    var all = new HashMap<String, Object>();
    all.put(
        ProducerConfig.CLIENT_ID_CONFIG,
        "%s-%s-rejections".formatted(sender.connector(), sender.task()));
    all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MOST_BYTES);
    all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 2 * MOST_BYTES);
    // As dense as a producer of the ingest topics can have made it: what fits there fits here.
    all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5000);
    all.putAll(connector);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return all;
  }
}
