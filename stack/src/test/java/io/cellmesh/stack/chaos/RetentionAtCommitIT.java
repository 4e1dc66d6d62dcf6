package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker, and a sink of which there are only the offsets that it commits. */
class RetentionAtCommitIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Topics TOPICS = new Topics("trips");
  private static final String GROUP = "connect-trips-sink";
  private static final TopicPartition CELLS = new TopicPartition(TOPICS.cells(), 0);
  private static final TopicPartition MESH = new TopicPartition(TOPICS.mesh(), 1);
  private static final TopicPartition UNREAD = new TopicPartition(TOPICS.cells(), 1);

  @TempDir private Path directory;

  @Test
  void what_is_passed_is_deleted_but_for_the_last_record_and_all_of_it_is_archived()
      throws Exception {
    try (var stack =
        DevStack.start(Options.defaults().withClusters(0).withWorkers(0), Progress.silent())) {
      var broker = stack.broker(stack.datacenters().get(0));
      broker.create(
          new NewTopic(TOPICS.cells(), 2, (short) 1), new NewTopic(TOPICS.mesh(), 2, (short) 1));
      try (var retention =
          RetentionAtCommit.start(
              KafkaAccess.plain(broker.bootstrap()), TOPICS, GROUP, directory)) {
        produce(broker, CELLS, 0, 10);
        produce(broker, MESH, 0, 4);
        produce(broker, UNREAD, 0, 3);
        commit(broker, Map.of(CELLS, 6L, MESH, 1L));
        await().atMost(SOON).untilAsserted(() -> assertThat(begin(broker, CELLS)).isEqualTo(5));

        broker.restart();
        produce(broker, CELLS, 10, 5);
        commit(broker, Map.of(CELLS, 15L, MESH, 4L));
        await()
            .atMost(SOON)
            .untilAsserted(
                () -> {
                  assertThat(begin(broker, CELLS)).isEqualTo(14);
                  assertThat(begin(broker, MESH)).isEqualTo(3);
                });
        assertThat(begin(broker, UNREAD)).as("what nobody has committed stays").isZero();
        await().atMost(SOON).untilAsserted(() -> assertThat(retention.deleted()).isEqualTo(14 + 3));

        retention.awaitArchived();
        assertThat(archived(retention, CELLS, 15)).containsExactlyElementsOf(records(15));
        assertThat(archived(retention, MESH, 4)).containsExactlyElementsOf(records(4));
        assertThat(archived(retention, UNREAD, 2)).containsExactlyElementsOf(records(2));
      }
    }
  }

  private static void produce(KafkaBroker broker, TopicPartition at, int from, int count)
      throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", broker.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = from; i < from + count; i++) {
        var value = i % 3 == 2 ? null : bytes("value" + i);
        producer
            .send(
                new ProducerRecord<>(
                    at.topic(), at.partition(), 1_000L + i, bytes("key" + i), value))
            .get();
      }
    }
  }

  /** As {@link #produce} makes them, without the offsets. */
  private static List<String> records(int count) {
    var records = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      records.add("%d %d key%d %s".formatted(i, 1_000 + i, i, i % 3 == 2 ? null : "value" + i));
    }
    return records;
  }

  private static List<String> archived(RetentionAtCommit retention, TopicPartition at, long end) {
    var records = new ArrayList<String>();
    retention
        .archive()
        .read(
            at,
            end,
            record ->
                records.add(
                    "%d %d %s %s"
                        .formatted(
                            record.offset(),
                            record.timestamp(),
                            new String(record.key(), StandardCharsets.UTF_8),
                            record.value() == null
                                ? null
                                : new String(record.value(), StandardCharsets.UTF_8))));
    return records;
  }

  private static void commit(KafkaBroker broker, Map<TopicPartition, Long> offsets)
      throws Exception {
    try (var admin = broker.admin()) {
      var commits = new HashMap<TopicPartition, OffsetAndMetadata>();
      offsets.forEach((at, offset) -> commits.put(at, new OffsetAndMetadata(offset)));
      admin.alterConsumerGroupOffsets(GROUP, commits).all().get();
    }
  }

  private static long begin(KafkaBroker broker, TopicPartition at) {
    try (var client = Consumers.open(KafkaAccess.plain(broker.bootstrap()))) {
      return TopicOffsets.of(client, at.topic()).begin(at.partition());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
