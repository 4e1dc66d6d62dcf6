package io.cellmesh.index;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The Kafka clients of an application, prompt while it keeps up and thrifty while it is behind.
 *
 * <p>A producer's linger is one for both. Short, it makes a request of every few records, and a
 * backlog then costs the broker three times what it need; long, it is most of a fresh entry's way.
 * So the linger is long here, and when a stream thread has done what it had and asks for more, the
 * few records that came of it are sent first, in one request. Many fill batches by themselves.
 */
final class PromptClients implements KafkaClientSupplier {
  /** At most so many records since the last poll are sent without lingering. */
  static final int FEW = 256;

  /** A stream thread's own producer, once it has sent something. */
  private final ThreadLocal<PromptProducer> own = new ThreadLocal<>();

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new PromptProducer(config);
  }

  /** The consumer that a stream thread reads its topics with. */
  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new PromptConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return plain(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return plain(config);
  }

  private static Consumer<byte[], byte[]> plain(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Counts what it was given since the last poll. One thread sends and polls. */
  private final class PromptProducer extends KafkaProducer<byte[], byte[]> {
    private int given;

    PromptProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** {@link #send(ProducerRecord)} comes here, too. */
    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> entry, Callback callback) {
      if (given++ == 0) {
        own.set(this);
      }
      return super.send(entry, callback);
    }

    /**
     * Returns when the brokers have answered, as each commit of the application does. Failures
     * reach the callbacks.
     */
    void beforePoll() {
      if (given > 0 && given <= FEW) {
        flush();
      }
      given = 0;
    }
  }

  private final class PromptConsumer extends KafkaConsumer<byte[], byte[]> {
    PromptConsumer(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      var producer = own.get();
      if (producer != null) {
        producer.beforePoll();
      }
      return super.poll(timeout);
    }
  }
}
