package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records to an instance's topic at a steady pace, until {@link #stop}, which tells whether
 * one was not acknowledged.
 */
final class CellFlow implements AutoCloseable {
  /** As long as a whole data centre may be away, and its return may take. */
  private static final String DELIVERY_MS = "600000";

  private static final String BUFFER_BYTES = Integer.toString(64 << 20);

  /** The largest body, which the sink accepts, and its envelope; Kafka's default has no room. */
  private static final String MAX_REQUEST_BYTES = Integer.toString(2 << 20);

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  CellFlow(String bootstrap, Topology topology, Duration linger) {
    this.topic = topology.topics().cells();
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "linger.ms",
                Long.toString(linger.toMillis()),
                "acks",
                "all",
                "delivery.timeout.ms",
                DELIVERY_MS,
                "buffer.memory",
                BUFFER_BYTES,
                "max.request.size",
                MAX_REQUEST_BYTES,
                // A producer whose only broker is away forgets its topic's partitions.
                "max.block.ms",
                DELIVERY_MS),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Begins to take turns, which send; one that fails is the last. */
  void start(Duration pace, Runnable turn) {
    clock.scheduleAtFixedRate(
        () -> {
          try {
            turn.run();
          } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
            throw e;
          }
        },
        pace.toNanos(),
        pace.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /**
   * Sends a record.
   *
   * @param acknowledged told of its place, on the producer's thread
   */
  void send(UUID row, String value, Consumer<RecordMetadata> acknowledged) {
    producer.send(
        new ProducerRecord<>(topic, bytes(row.toString()), bytes(value)),
        (place, e) -> {
          if (e == null) {
            acknowledged.accept(place);
          } else {
            failure.compareAndSet(null, e);
          }
        });
  }

  /**
   * Takes no more turns; returns when all is acknowledged.
   *
   * @throws IllegalStateException if a record was not
   */
  void stop() {
    clock.shutdown();
    try {
      clock.awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.flush();
    check();
  }

  /**
   * Looks whether all went well so far.
   *
   * @throws IllegalStateException if a turn failed, or a record was not acknowledged
   */
  void check() {
    var first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a record was not acknowledged: " + first, first);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    producer.close(Duration.ofSeconds(5));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
