package io.cellmesh.bench;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Brings cells into a contestant's topic, as fast as Kafka takes them. */
final class Backlog implements AutoCloseable {
  private final Contestant contestant;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /**
   * @param lingerMillis how long a record waits for company
   */
  Backlog(Contestant contestant, int lingerMillis) {
    this.contestant = contestant;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                contestant.broker().bootstrap(),
                "acks",
                "all",
                "linger.ms",
                lingerMillis,
                "batch.size",
                128 << 10),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Hands a cell in. */
  void send(BenchCell cell) {
    send(cell, place -> {});
  }

  /** Hands a cell in; the consumer is told where it is, once Kafka has it. */
  void send(BenchCell cell, Consumer<RecordMetadata> acknowledged) {
    producer.send(
        contestant.toProduce(cell),
        (place, e) -> {
          if (e == null) {
            contestant.produced(cell, place.partition(), place.offset());
            acknowledged.accept(place);
          } else {
            failure.compareAndSet(null, e);
          }
        });
  }

  /**
   * Waits until Kafka has everything.
   *
   * @throws KafkaException if it did not take something
   */
  void flush() {
    producer.flush();
    var e = failure.get();
    if (e != null) {
      throw new KafkaException("producing into " + contestant.topic() + " failed", e);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(10));
  }
}
