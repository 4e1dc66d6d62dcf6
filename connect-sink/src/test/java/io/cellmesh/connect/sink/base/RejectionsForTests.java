package io.cellmesh.connect.sink.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Rejections that reach no broker. */
public final class RejectionsForTests {
  private RejectionsForTests() {}

  /** Gives each to somebody, who may throw what a producer's send fails with. */
  public static Rejections through(Consumer<ProducerRecord<byte[], byte[]>> topic) {
    return new Rejections(
        new DeadLetter.Sender("trips.rejected", "trips-sink", "0"),
        () -> new Throughway(topic),
        () -> {},
        Duration.ofSeconds(1));
  }

  private static final class Throughway extends MockProducer<byte[], byte[]> {
    private final Consumer<ProducerRecord<byte[], byte[]>> topic;

    Throughway(Consumer<ProducerRecord<byte[], byte[]>> topic) {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.topic = topic;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> letter) {
      try {
        topic.accept(letter);
        return CompletableFuture.completedFuture(null);
      } catch (KafkaException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }

  /** Tells the reason of each. */
  public static Rejections into(Consumer<String> reasons) {
    var producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> letter) {
            var reason = letter.headers().lastHeader("__connect.errors.exception.message");
            reasons.accept(new String(reason.value(), UTF_8));
            return super.send(letter);
          }
        };
    return new Rejections(
        new DeadLetter.Sender("trips.unindexed", "trips-index-sink", "0"),
        () -> producer,
        () -> {},
        Duration.ofSeconds(1));
  }
}
