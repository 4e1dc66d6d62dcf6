package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.HurriedProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The producer that a link writes into the mesh with, against a broker that misbehaves. */
class LinkProducerIT {
  private static final int WAIT_SECONDS = 60;

  @TempDir static Path dir;

  private static DevStack stack;
  private static KafkaBroker broker;

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults().withStateDir(dir).withDatacenters(1).withoutMySql().withWorkers(0),
            Progress.silent());
    broker = stack.broker("dc1");
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  /**
   * The producer's clock runs sixty times as fast, so that the broker is away for four minutes of
   * it while batches are on their way and others wait.
   */
  @Test
  void aBrokerThatIsAwayForMinutesCostsNoRecordAndNoOrder() throws Exception {
    topic("away", Map.of());
    // A second of its clock is little time for a machine that is busy.
    var settings = settings();
    settings.put("max.block.ms", 3_600_000L);
    settings.put("request.timeout.ms", 60_000);
    settings.put("socket.connection.setup.timeout.ms", 600_000L);
    try (var producer = HurriedProducer.of(settings, 60)) {
      var sent = new ArrayList<Future<RecordMetadata>>();
      sent.add(send(producer, "away", 0, 8));
      sent.get(0).get(WAIT_SECONDS, TimeUnit.SECONDS);

      broker.pause();
      for (int n = 1; n <= 50; n++) {
        sent.add(send(producer, "away", n, 32 << 10));
      }
      TimeUnit.SECONDS.sleep(4);
      broker.resume();

      for (var record : sent) {
        record.get(WAIT_SECONDS, TimeUnit.SECONDS);
      }
    }
    assertThat(read("away")).isEqualTo(IntStream.rangeClosed(0, 50).boxed().toList());
  }

  /**
   * The link begins again with the refused one, so whatever followed it would be out of order. Of a
   * producer that a partition does not know yet, the broker takes any batch for the first.
   */
  @Test
  void whatFollowsARecordThatIsRefusedForGoodDoesNotArriveBeforeIt() throws Exception {
    topic("before", Map.of());
    topic("refusing", Map.of("max.message.bytes", "10000"));
    var settings = settings();
    settings.put("batch.size", 1_000);
    try (var producer =
        new PeerClients(
                KafkaAccess.plain(broker.bootstrap()),
                OthersLeftOut.of(Logs.TERMS),
                places -> {},
                new LinkBounds(MeshWindow.none(), new Pace(OptionalInt.empty(), () -> 0)),
                new LogBehind())
            .getProducer(settings)) {
      send(producer, "before", 0, 8).get(WAIT_SECONDS, TimeUnit.SECONDS);
      producer.partitionsFor("refusing");

      // Nothing is answered until all of them would be on their way.
      broker.pause();
      var refused = send(producer, "refusing", 1, 20_000);
      var next = send(producer, "refusing", 2, 5_000);
      var last = send(producer, "refusing", 3, 5_000);
      TimeUnit.SECONDS.sleep(1);
      broker.resume();

      assertThatThrownBy(() -> refused.get(WAIT_SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RecordTooLargeException.class);
      await().atMost(Duration.ofSeconds(WAIT_SECONDS)).until(() -> next.isDone() && last.isDone());
    }
    assertThat(read("refusing")).isEmpty();
  }

  private static void topic(String name, Map<String, String> configs) {
    broker.create(new NewTopic(name, 1, (short) 1).configs(configs));
  }

  /** What Streams makes of a link's settings. */
  private static Map<String, Object> settings() {
    var settings =
        new HashMap<>(
            new StreamsConfig(
                    LinkSettings.of(
                        "trips-herb-dc1",
                        KafkaAccess.plain(broker.bootstrap()),
                        new Shards(64, 16),
                        LinkTuning.USUAL))
                .getProducerConfigs("link"));
    settings.put("bootstrap.servers", broker.bootstrap());
    return settings;
  }

  private static Future<RecordMetadata> send(
      Producer<byte[], byte[]> producer, String topic, int number, int bytes) {
    // What repeats itself would be compressed away.
    var value = new byte[bytes];
    new Random(number).nextBytes(value);
    return producer.send(
        new ProducerRecord<>(topic, 0, null, ByteBuffer.wrap(value).putInt(number).array()));
  }

  private static List<Integer> read(String topic) {
    var at = new TopicPartition(topic, 0);
    var numbers = new ArrayList<Integer>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      long end = consumer.endOffsets(List.of(at)).get(at);
      while (consumer.position(at) < end) {
        consumer
            .poll(Duration.ofMillis(200))
            .forEach(record -> numbers.add(ByteBuffer.wrap(record.value()).getInt()));
      }
    }
    return numbers;
  }
}
