package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The topic in which a data centre says who it is, under its own name, and remembers its peers,
 * each under the peer's name. Compacted, of one partition.
 *
 * @param kafka that has it
 */
record MeshPlaces(KafkaAccess kafka, String topic) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** The newest value of each key; none without the topic. */
  Map<String, String> read() {
    var values = new HashMap<String, String>();
    var settings = kafka.client();
    settings.put("auto.offset.reset", "none");
    settings.put("allow.auto.create.topics", false);
    settings.put("default.api.timeout.ms", KafkaAnswer.TIMEOUT_MS);
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      var infos = consumer.partitionsFor(topic);
      if (infos == null || infos.isEmpty()) {
        return values;
      }
      var at = new TopicPartition(topic, 0);
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      long end = consumer.endOffsets(List.of(at)).get(at);
      while (consumer.position(at) < end) {
        for (var record : consumer.poll(POLL)) {
          values.put(record.key(), record.value());
        }
      }
    }
    values.values().removeIf(value -> value == null);
    return values;
  }

  /** Makes the topic, for an instance that was created before there was one. */
  void create(Admin admin) throws InterruptedException {
    var wanted =
        new NewTopic(topic, Optional.of(1), Optional.empty())
            .configs(Map.of("cleanup.policy", "compact"));
    try {
      KafkaAnswer.of(admin.createTopics(List.of(wanted)).all(), topic, kafka);
    } catch (KafkaException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  /** Returns when the value is safe. */
  void write(String key, String value) throws InterruptedException {
    var settings = kafka.client();
    settings.put("acks", "all");
    settings.put("max.block.ms", KafkaAnswer.TIMEOUT_MS);
    settings.put("request.timeout.ms", KafkaAnswer.TIMEOUT_MS / 2);
    settings.put("delivery.timeout.ms", KafkaAnswer.TIMEOUT_MS);
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, 0, key, value)).get();
    } catch (ExecutionException e) {
      throw new KafkaException(
          "%s at %s: %s".formatted(topic, kafka, e.getCause().getMessage()), e.getCause());
    }
  }
}
