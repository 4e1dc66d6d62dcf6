package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a sink has told in {@code trips.rejected}, which has one partition. */
record Rejections(SinkStack stack) {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** All of them, in the order of their offsets. */
  List<ConsumerRecord<byte[], byte[]>> all() {
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers", stack.bootstrap(), "max.poll.records", "10000"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      var at = new TopicPartition("trips.rejected", 0);
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      long end = consumer.endOffsets(List.of(at)).get(at);
      var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
      while (consumer.position(at) < end) {
        records.addAll(consumer.poll(Duration.ofMillis(500)).records(at));
      }
      return records;
    }
  }

  /** Waits for the one that came from a place in an ingest topic. */
  ConsumerRecord<byte[], byte[]> of(RecordMetadata sent) {
    return await()
        .atMost(SOON)
        .until(
            () ->
                all().stream()
                    .filter(told -> error(told, "topic").equals(sent.topic()))
                    .filter(
                        told -> error(told, "partition").equals(String.valueOf(sent.partition())))
                    .filter(told -> error(told, "offset").equals(String.valueOf(sent.offset())))
                    .findFirst()
                    .orElse(null),
            told -> told != null);
  }

  /** Waits for the reason in the headers of the one that came from a place in an ingest topic. */
  String reasonOf(RecordMetadata sent) {
    return reason(of(sent));
  }

  static String reason(ConsumerRecord<byte[], byte[]> told) {
    return error(told, "exception.message");
  }

  /** The value of one of Connect's headers of a dead letter. */
  static String error(ConsumerRecord<byte[], byte[]> told, String name) {
    return header(told, "__connect.errors." + name);
  }

  /** The value of a header that the record has. */
  static String header(ConsumerRecord<byte[], byte[]> told, String name) {
    return new String(told.headers().lastHeader(name).value(), UTF_8);
  }
}
