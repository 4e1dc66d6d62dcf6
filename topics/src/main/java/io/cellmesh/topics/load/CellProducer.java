package io.cellmesh.topics.load;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Brings cells into {@code trips.cells}. A cell that was handed in is either acknowledged by all
 * replicas, or the next call throws.
 */
public final class CellProducer implements AutoCloseable {
  /** The topic carries bodies of 3 MiB and their envelope. */
  public static final int MAX_REQUEST = 4 << 20;

  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final KafkaAccess kafka;
  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  public CellProducer(KafkaAccess kafka, Topics topics) {
    this(kafka, new KafkaProducer<>(config(kafka)), topics);
  }

  CellProducer(KafkaAccess kafka, Producer<byte[], byte[]> producer, Topics topics) {
    this.kafka = kafka;
    this.producer = producer;
    this.topic = topics.cells();
  }

  /** Hands a cell in; the consumer is called with its place as soon as it is acknowledged. */
  public void send(Cell cell, Consumer<RecordMetadata> acknowledged) {
    send(new ProducerRecord<>(topic, Envelope.key(cell.key()), Envelope.write(cell)), acknowledged);
  }

  /** Hands in any record; as {@link #send(Cell, Consumer)}. */
  public void send(ProducerRecord<byte[], byte[]> record, Consumer<RecordMetadata> acknowledged) {
    throwFailure();
    producer.send(
        record,
        (place, e) -> {
          if (e == null) {
            acknowledged.accept(place);
          } else {
            failure.compareAndSet(null, e);
          }
        });
  }

  /** Waits until everything handed in is acknowledged. */
  public void flush() {
    producer.flush();
    throwFailure();
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }

  private void throwFailure() {
    var e = failure.get();
    if (e instanceof AuthorizationException refusal) {
      throw MissingRightException.of(kafka, "Write", refusal);
    }
    if (e != null) {
      throw new KafkaException("producing into " + topic + " failed: " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> config(KafkaAccess kafka) {
    var config = kafka.client();
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "cellmesh-load");
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return config;
  }
}
