package io.cellmesh.connect.sink.base;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Rejections over a Kafka that acknowledges when the test says so. */
public final class ModelledRejections {
  private boolean acknowledges;

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
        @Override
        public synchronized Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, Callback callback) {
          var sent = super.send(record, callback);
          if (acknowledges) {
            completeNext();
          }
          return sent;
        }
      };

  private final Rejections rejections =
      new Rejections(
          new DeadLetter.Sender("trips.rejected", "trips-sink", "0"),
          () -> producer,
          () -> {},
          Duration.ofMillis(50));

  public Rejections rejections() {
    return rejections;
  }

  /** What was sent. */
  public List<ProducerRecord<byte[], byte[]>> told() {
    return producer.history();
  }

  /** Acknowledges all that was sent, and from now on what is. */
  public void acknowledge() {
    acknowledges = true;
    while (producer.completeNext()) {
      // There may be more.
    }
  }
}
