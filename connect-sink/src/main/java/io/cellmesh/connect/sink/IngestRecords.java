package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.PrimaryExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Fetches single records of the ingest topics by their place. One thread. */
final class IngestRecords implements RecordSource {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Map<String, Object> settings;
  private KafkaConsumer<byte[], byte[]> consumer;

  /**
   * @param client settings of a Kafka client
   */
  IngestRecords(Map<String, Object> client) {
    this.settings = new HashMap<>(client);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
  }

  /**
   * @throws TimeoutException if the brokers do not say in time
   */
  @Override
  public Optional<Original> at(TopicPartition at, long offset) {
    if (consumer == null) {
      consumer =
          new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
    var one = List.of(at);
    consumer.assign(one);
    if (consumer.beginningOffsets(one).get(at) > offset
        || consumer.endOffsets(one).get(at) <= offset) {
      return Optional.empty();
    }
    consumer.seek(at, offset);
    long deadline = PrimaryExecutor.deadline(PATIENCE);
    while (deadline - System.nanoTime() > 0) {
      for (var record : consumer.poll(Duration.ofMillis(500))) {
        return record.offset() == offset ? Optional.of(original(record)) : Optional.empty();
      }
    }
    throw new TimeoutException(at + "@" + offset + " can't be read now");
  }

  /** One that does not close well is asked nothing more: another is made for the next record. */
  @Override
  public void close() {
    var open = consumer;
    consumer = null;
    if (open != null) {
      open.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
    }
  }

  private static Original original(ConsumerRecord<byte[], byte[]> record) {
    return new Original(
        new TopicPartition(record.topic(), record.partition()),
        record.offset(),
        Optional.of(record.timestamp()).filter(millis -> millis >= 0),
        record.key(),
        record.value(),
        List.of(record.headers().toArray()));
  }
}
