package io.cellmesh.topics;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.topics.load.CellProducer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Brings single cells into {@code trips.cells} for callers who each want to know where theirs
 * stands; one that fails says nothing about the others. Each is acknowledged by all replicas and
 * stands there once, however often it was sent. Thread-safe.
 */
public final class IngestProducer implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final KafkaAccess kafka;
  private final Producer<byte[], byte[]> producer;
  private final String topic;

  /**
   * @param block longest time that {@link #send} waits for the brokers to say where the topic is,
   *     or for room
   * @param delivery longest time until it is known whether a record was acknowledged
   */
  public IngestProducer(KafkaAccess kafka, Topics topics, Duration block, Duration delivery) {
    this(kafka, topics, new KafkaProducer<>(config(kafka, block, delivery)));
  }

  IngestProducer(KafkaAccess kafka, Topics topics, Producer<byte[], byte[]> producer) {
    this.kafka = kafka;
    this.topic = topics.cells();
    this.producer = producer;
  }

  /**
   * Hands a cell in. May wait, within the bound that was given.
   *
   * @return its place, or why it is not known to be there: a {@link KafkaException}, after which it
   *     may be there all the same, or a {@link MissingRightException}
   */
  public CompletableFuture<RecordMetadata> send(Cell cell) {
    var done = new CompletableFuture<RecordMetadata>();
    try {
      producer.send(
          new ProducerRecord<>(topic, Envelope.key(cell.key()), Envelope.write(cell)),
          (place, e) -> {
            if (e == null) {
              done.complete(place);
            } else {
              done.completeExceptionally(named(e));
            }
          });
    } catch (KafkaException e) {
      done.completeExceptionally(named(e));
    }
    return done;
  }

  /**
   * Has the brokers say where the topic is, unless they have: who hands in the first cell does not
   * wait for that. May wait, within the bound that was given. A broker that makes topics when they
   * are asked for makes this one, so the topic is to be there.
   *
   * @throws KafkaException if they don't say it in time, after which {@link #send} asks again; a
   *     {@link MissingRightException} if this user may not know it
   */
  public void prepare() {
    try {
      producer.partitionsFor(topic);
    } catch (AuthorizationException e) {
      throw MissingRightException.of(kafka, "Describe", e);
    }
  }

  /** Sends what was handed in, within a few seconds. */
  @Override
  public void close() {
    producer.close(CLOSE);
  }

  private Exception named(Exception e) {
    return e instanceof AuthorizationException refusal
        ? MissingRightException.of(kafka, "Write", refusal)
        : e;
  }

  private static Map<String, Object> config(KafkaAccess kafka, Duration block, Duration delivery) {
    var config = kafka.client();
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "cellmesh-worker");
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
    // Somebody waits for each of them.
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, block.toMillis());
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(delivery.toMillis()));
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(delivery.toMillis() / 2));
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, CellProducer.MAX_REQUEST);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return config;
  }
}
