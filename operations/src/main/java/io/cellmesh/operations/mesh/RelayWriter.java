package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.load.CellProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes a data centre's cells into a mesh topic in the order in which they are handed over. Once
 * one is refused for good nothing behind it is sent (invariant 9). One thread at a time.
 */
final class RelayWriter implements AutoCloseable {
  /** What waits to be sent, some 32 MiB, passes in less through a narrow way. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final boolean home;
  private final Duration patience;
  private final EnvelopeWriter envelopes = new EnvelopeWriter();
  private final AtomicReference<Exception> refusal = new AtomicReference<>();

  /** Of each partition, which gets its records one after the other. */
  private final Map<Integer, Future<RecordMetadata>> last = new HashMap<>();

  private long written;

  /**
   * @param producer with one request in flight; closed with this one
   * @param home whether it is the topic of the data centre that wrote the cells and has lost them
   * @param patience how long {@link #flush} waits
   */
  RelayWriter(Producer<byte[], byte[]> producer, String topic, boolean home, Duration patience) {
    this.producer = producer;
    this.topic = topic;
    this.home = home;
    this.patience = patience;
  }

  static RelayWriter open(KafkaAccess kafka, String topic, boolean home) {
    var settings = kafka.client();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    // A batch that expired would be overtaken by the next one.
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, CellProducer.MAX_REQUEST);
    return new RelayWriter(
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()),
        topic,
        home,
        PATIENCE);
  }

  /**
   * Sends a cell behind those before it.
   *
   * @throws KafkaException if one of those was refused
   */
  void write(int partition, Cell cell) {
    check();
    var headers =
        new RecordHeaders()
            .add(Envelope.COLUMN_HEADER, bytes(cell.key().columnName()))
            .add(Envelope.ORIGIN_HEADER, bytes(cell.origin().orElseThrow().datacenter()));
    if (home) {
      headers.add(Envelope.RESTORED_HEADER, new byte[0]);
    }
    last.put(
        partition,
        producer.send(
            new ProducerRecord<>(
                topic, partition, Envelope.key(cell.key()), envelopes.write(cell), headers),
            (metadata, failure) -> {
              if (failure != null) {
                refusal.compareAndSet(null, failure);
                producer.close(Duration.ZERO);
              }
            }));
    written++;
  }

  /**
   * Returns when all are safe.
   *
   * @throws KafkaException if one was refused, or Kafka has not taken all within five minutes
   */
  void flush() {
    check();
    long deadline = System.nanoTime() + patience.toNanos();
    for (var one : last.values()) {
      await(one, deadline - System.nanoTime());
    }
    last.clear();
    check();
  }

  private void await(Future<RecordMetadata> one, long nanos) {
    try {
      one.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw new KafkaException("%s: %s".formatted(topic, e.getCause().getMessage()), e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaException(
          "%s: Kafka has not taken the last cells for %d s; the same again goes on"
              .formatted(topic, patience.toSeconds()),
          e);
    }
  }

  /** Cells that were written so far. */
  long written() {
    return written;
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    envelopes.close();
  }

  private void check() {
    var failure = refusal.get();
    if (failure != null) {
      throw new KafkaException("%s: %s".formatted(topic, failure.getMessage()), failure);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
