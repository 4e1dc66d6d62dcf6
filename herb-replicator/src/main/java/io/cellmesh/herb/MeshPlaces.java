package io.cellmesh.herb;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.StateTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The topic in which a data centre says who it is, under its own name, and remembers its peers,
 * each under the peer's name, and how far each partition of the peer's log was read, as {@link
 * MeshPlace} has it. Compacted, of one partition.
 *
 * @param kafka that has it
 */
record MeshPlaces(KafkaAccess kafka, String topic) {
  private static final long BUFFER_BYTES = 1 << 20;

  /**
   * Reads the newest value of each key; none without the topic.
   *
   * @throws KafkaException if nobody answers, or nothing of what is there comes
   */
  Map<String, String> read() {
    var values = new HashMap<String, String>();
    try (var consumer =
        new KafkaConsumer<>(kafka.reader(), new StringDeserializer(), new StringDeserializer())) {
      var infos = consumer.partitionsFor(topic);
      if (infos == null || infos.isEmpty()) {
        return values;
      }
      var at = new TopicPartition(topic, 0);
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      StateTopic.readToEnd(
          "%s at %s".formatted(topic, kafka),
          consumer,
          record -> values.put(record.key(), record.value()));
    }
    values.values().removeIf(value -> value == null);
    return values;
  }

  /** Makes the topic, for an instance that was created before there was one. */
  void create(Admin admin) throws InterruptedException {
    var wanted =
        new NewTopic(topic, Optional.of(1), Optional.empty())
            .configs(StateTopic.settingsOfPlaces());
    try {
      KafkaAnswer.of(admin.createTopics(List.of(wanted)).all(), topic, kafka);
    } catch (KafkaException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  /**
   * Returns when the value is safe.
   *
   * @param value null to forget the key
   */
  void write(String key, String value) {
    try (var writer = writer()) {
      writer.write(Collections.singletonMap(key, value));
    }
  }

  /** For who writes again and again. */
  Writer writer() {
    var settings = kafka.quiet();
    settings.put("acks", "all");
    // Written every second as long as cells come, and alike.
    settings.put("compression.type", "lz4");
    settings.put("buffer.memory", BUFFER_BYTES);
    settings.put("max.block.ms", KafkaAccess.ANSWER_MS);
    settings.put("request.timeout.ms", KafkaAccess.ANSWER_MS / 2);
    settings.put("delivery.timeout.ms", KafkaAccess.ANSWER_MS);
    return new Writer(
        this, new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer()));
  }

  /** Writes until it is closed; any thread may. */
  record Writer(MeshPlaces places, Producer<String, String> producer) implements AutoCloseable {
    /**
     * Returns when all values are safe.
     *
     * @param values by their keys
     * @throws TimeoutException if nobody answers
     * @throws KafkaException if they are refused
     */
    void write(Map<String, String> values) {
      var sent = new ArrayList<Future<RecordMetadata>>();
      values.forEach(
          (key, value) ->
              sent.add(producer.send(new ProducerRecord<>(places.topic, 0, key, value))));
      producer.flush();
      for (var one : sent) {
        places.answer(one);
      }
    }

    @Override
    public void close() {
      producer.close(Duration.ZERO);
    }
  }

  private void answer(Future<RecordMetadata> written) {
    try {
      written.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException timeout) {
        throw timeout;
      }
      throw new KafkaException(
          "%s at %s: %s".formatted(topic, kafka, e.getCause().getMessage()), e.getCause());
    }
  }
}
