package io.cellmesh.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a real broker that lose records while they are read. */
class PartitionReaderIT {
  private static final int RECORDS = 80;

  /** An answer of the broker has a quarter of the records at most, and one is on its way. */
  private static final int BYTES = 256 << 10;

  private static final int FIRST_LEFT = 60;

  @TempDir private static Path dir;
  private static DevStack stack;
  private static KafkaBroker broker;

  private final List<Long> read = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    var options =
        Options.defaults().withStateDir(dir).withDatacenters(1).withoutMySql().withWorkers(0);
    stack = DevStack.start(options, Progress.silent());
    broker = stack.broker("dc1");
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void records_that_are_deleted_while_a_topic_is_read_are_passed_over_and_said_to_be_gone()
      throws Exception {
    var at = filled("trips.cells");

    boolean gone = readingMeanwhile(at, () -> delete(at));

    assertThat(gone).isTrue();
    assertThat(read).isSorted().startsWith(0L).doesNotHaveDuplicates();
    assertThat(read)
        .endsWith(LongStream.range(FIRST_LEFT, RECORDS).boxed().toArray(Long[]::new))
        .doesNotContain(FIRST_LEFT - 1L);
  }

  @Test
  void a_topic_that_is_created_anew_while_it_is_read_is_named_with_what_to_do() throws Exception {
    var at = filled("trips.mesh");

    assertThatThrownBy(() -> readingMeanwhile(at, () -> createAnew(at)))
        .isInstanceOf(KafkaException.class)
        .hasMessageStartingWith("trips.mesh-0 no longer has offset ")
        .hasMessageContaining("ended at %d", RECORDS)
        .hasMessageEndingWith("Run this again to read what there is now");
  }

  private interface Fault {
    void inject() throws Exception;
  }

  /** Reads a partition, to which something happens at its first record. */
  private boolean readingMeanwhile(TopicPartition at, Fault fault) {
    try (var client = Consumers.open(KafkaAccess.plain(broker.bootstrap()))) {
      return new PartitionReader(client)
          .readRetained(
              at,
              0,
              RECORDS,
              record -> {
                if (read.isEmpty()) {
                  inject(fault);
                }
                read.add(record.offset());
              });
    }
  }

  private static void inject(Fault fault) {
    try {
      fault.inject();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static TopicPartition filled(String topic) throws Exception {
    create(topic);
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", broker.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        producer.send(new ProducerRecord<>(topic, 0, new byte[1], new byte[BYTES])).get();
      }
    }
    return new TopicPartition(topic, 0);
  }

  private static void create(String topic) {
    broker.create(new NewTopic(topic, 1, (short) 1));
  }

  private static void delete(TopicPartition at) throws Exception {
    try (Admin admin = broker.admin()) {
      admin.deleteRecords(Map.of(at, RecordsToDelete.beforeOffset(FIRST_LEFT))).all().get();
    }
  }

  private static void createAnew(TopicPartition at) throws Exception {
    try (Admin admin = broker.admin()) {
      admin.deleteTopics(List.of(at.topic())).all().get();
    }
    create(at.topic());
  }
}
