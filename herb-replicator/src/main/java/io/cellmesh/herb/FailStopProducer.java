package io.cellmesh.herb;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer that sends nothing more once a record was refused for good. Kafka's own would go on
 * with the next batch, which the link, that begins again with the refused one, then sends behind it
 * a second time: the cells of a shard would stand in another order (invariant 9).
 *
 * <p>It takes a single request in flight as well, so that none is on its way when the refusal
 * comes.
 */
final class FailStopProducer extends KafkaProducer<byte[], byte[]> {
  private final MeshWindow window;

  /** One whose writer counts itself what it sends. */
  FailStopProducer(Map<String, Object> settings) {
    this(settings, MeshWindow.none());
  }

  /**
   * @param window is told what is sent, and what has arrived
   */
  FailStopProducer(Map<String, Object> settings, MeshWindow window) {
    super(settings, new ByteArraySerializer(), new ByteArraySerializer());
    this.window = window;
  }

  /** {@link #send(ProducerRecord)} comes here, too. */
  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    var counted = window.counted(record, callback);
    return super.send(
        record,
        (metadata, failure) -> {
          if (failure != null) {
            close(Duration.ZERO);
          }
          if (counted != null) {
            counted.onCompletion(metadata, failure);
          }
        });
  }
}
