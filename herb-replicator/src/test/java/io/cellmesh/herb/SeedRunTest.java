package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.SeedMark;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** What a link does with a seed. */
class SeedRunTest {
  private static final Shards SHARDS = new Shards(64, 2);
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "log-id");
  private static final RememberedLog SEED = new RememberedLog("kafka-of-dc2", "seed-id");
  private static final String TOPIC = "trips.seed.dc1";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Topology TOPOLOGY = MeshInstance.trips(SHARDS);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");

  /** Acknowledges nothing before it is flushed. */
  private final MockProducer<byte[], byte[]> mesh =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());

  private final MockProducer<String, String> places =
      new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
  private final LinkFigures figures = new LinkFigures();
  private Duration silence = Duration.ofMinutes(10);
  private final Map<Integer, Long> ids = new HashMap<>();

  SeedRunTest() {
    for (int partition = 0; partition < 2; partition++) {
      consumer.updateBeginningOffsets(Map.of(at(partition), 0L));
      consumer.updateEndOffsets(Map.of(at(partition), 100L));
    }
  }

  @Test
  void cells_arrive_in_their_order_and_then_the_place_is_where_the_log_goes_on() throws Exception {
    try (var run = run(Map.of(0, 0L, 1, 0L))) {
      add(mark(0, 0, false), cell(0, 1), cell(0, 2), mark(0, 3, true));
      await().atMost(PATIENCE).until(() -> places().containsKey("dc2:0"));
      assertThat(run.isRunning()).as("the other partition has not come to its end").isTrue();
      add(mark(1, 0, false), cell(1, 1));
      await().atMost(PATIENCE).until(() -> places().containsKey("dc2:seed:1"));
      assertThat(places().get("dc2:seed:1")).isEqualTo(new MeshPlace(SEED, 2).toJson());
      add(mark(1, 2, true));
      assertThat(run.awaitFailure(PATIENCE).orElseThrow()).isInstanceOf(SeedReadException.class);
    }
    assertThat(places())
        .isEqualTo(
            Map.of(
                "dc2:0", new MeshPlace(LOG, 700).toJson(),
                "dc2:1", new MeshPlace(LOG, 801).toJson()));
    assertThat(mesh.flushed()).isTrue();
    assertThat(mesh.history())
        .filteredOn(record -> record.partition() == 0)
        .extracting(record -> new String(record.value()).replaceAll(".*origin_id\":(\\d).*", "$1"))
        .containsExactly("1", "2");
    assertThat(mesh.history()).extracting(ProducerRecord::topic).containsOnly("trips.mesh");
    assertThat(figures.counts().taken()).isEqualTo(3);
    assertThat(figures.counts().setAside()).as("marks are no damage").isZero();
  }

  @Test
  void a_seed_goes_on_where_it_was_left_and_nothing_comes_twice() throws Exception {
    try (var run = run(Map.of(0, 2L))) {
      add(mark(0, 0, false), cell(0, 1), cell(0, 2), mark(0, 3, true));
      assertThat(run.awaitFailure(PATIENCE).orElseThrow()).isInstanceOf(SeedReadException.class);
    }
    assertThat(mesh.history()).hasSize(1);
  }

  @Test
  void where_a_cell_is_refused_for_good_the_place_stays_before_it() throws Exception {
    mesh.sendException = new RecordTooLargeException("larger than the topic allows");
    try (var run = run(Map.of(0, 0L))) {
      add(mark(0, 0, false), cell(0, 1), mark(0, 2, true));
      assertThat(run.awaitFailure(PATIENCE).orElseThrow())
          .hasMessageContaining("larger than the topic allows");
    }
    assertThat(places()).isEmpty();
  }

  @Test
  void a_peer_that_says_nothing_before_the_end_of_its_seed_is_waited_for() throws Exception {
    silence = Duration.ofMillis(10);
    try (var run = run(Map.of(0, 0L))) {
      assertThat(run.awaitFailure(PATIENCE).orElseThrow())
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("nothing of the seed came for");
    }
  }

  @Test
  void a_writer_that_can_not_be_closed_leaves_nothing_open() {
    mesh.closeException = new KafkaException("not closed");
    var run = run(Map.of(0, 0L));
    assertThatThrownBy(run::close).isSameAs(mesh.closeException);
    assertThat(places.closed()).isTrue();
  }

  private SeedRun run(Map<Integer, Long> next) {
    var terms = new LinkTerms("dc2", SHARDS, Set.of("dc1", "dc2"), true);
    var topic = new MeshPlaces(KafkaAccess.plain("127.0.0.1:9"), "trips.mesh-place");
    var log = new HashMap<>(Map.of(0, 700L, 1, 801L));
    log.keySet().retainAll(next.keySet());
    var run =
        new SeedRun(
            new LinkBegin(terms, LOG, Map.of(), Optional.of(new LinkSeed(SEED, next, log))),
            TOPOLOGY,
            new KafkaSeedReader(consumer, TOPIC, next),
            new MeshWriter(mesh, MeshWindow.none()),
            new MeshPlaces.Writer(topic, places),
            new LinkBounds(MeshWindow.none(), new Pace(OptionalInt.empty(), () -> 0)),
            figures,
            silence);
    await().atMost(PATIENCE).until(() -> !consumer.assignment().isEmpty());
    return run;
  }

  @SafeVarargs
  private void add(ConsumerRecord<byte[], byte[]>... records) {
    consumer.schedulePollTask(
        () -> {
          for (var record : records) {
            consumer.addRecord(record);
          }
        });
  }

  private ConsumerRecord<byte[], byte[]> cell(int partition, long offset) {
    long id = ids.merge(partition, 1L, Long::sum);
    var cell = Logs.cell("dc2", id, offset, SHARDS);
    while (cell.partition() != partition) {
      cell = Logs.cell("dc2", id, offset, SHARDS);
    }
    return in(partition, offset, cell.key(), cell.value());
  }

  private static ConsumerRecord<byte[], byte[]> mark(int partition, long offset, boolean end) {
    var mark = new SeedMark(end, new MeshPlace(LOG, partition == 0 ? 700 : 801));
    return in(partition, offset, null, mark.toJson().getBytes(StandardCharsets.UTF_8));
  }

  private static ConsumerRecord<byte[], byte[]> in(
      int partition, long offset, byte[] key, byte[] value) {
    return new ConsumerRecord<>(
        TOPIC,
        partition,
        offset,
        1_000 + offset,
        TimestampType.LOG_APPEND_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        key,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  private static TopicPartition at(int partition) {
    return new TopicPartition(TOPIC, partition);
  }

  private Map<String, String> places() {
    var newest = new HashMap<String, String>();
    places.history().forEach(record -> newest.put(record.key(), record.value()));
    newest.values().removeIf(value -> value == null);
    return newest;
  }
}
