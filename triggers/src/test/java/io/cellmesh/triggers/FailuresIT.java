package io.cellmesh.triggers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Pause;
import io.cellmesh.topics.trigger.Request;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.StateValue;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.triggers.TriggerState.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a trigger whose callback fails, whose log is cut, or whom a person pauses. */
class FailuresIT {
  private static final Shards SHARDS = new Shards(64, 16);
  private static final Topics TOPICS = new Topics("trips");
  private static final TriggerName NAME = new TriggerName("billing");
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path dir;
  @TempDir static Path own;

  private static DevStack stack;

  private final ConcurrentLinkedQueue<Called> called = new ConcurrentLinkedQueue<>();
  private LogFeeder feeder;

  private record Called(UUID row, long addedId, long delayMillis) {}

  /** Nobody asks its servers. */
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - name: c1
          shards: 0-63
          epoch: 1
          master: {url: "mysql://127.0.0.1:1", domain: rack1}
      """;

  @BeforeAll
  static void start() throws IOException {
    Files.writeString(own.resolve("topology.yaml"), TOPOLOGY);
    stack =
        DevStack.start(
            Options.defaults().withStateDir(dir).withDatacenters(1).withoutMySql().withWorkers(0),
            Progress.silent());
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @BeforeEach
  void prepare() {
    stack
        .broker("dc1")
        .create(
            topic("trips.log", Map.of()),
            topic("trips.trigger-state", Map.of("cleanup.policy", "compact")),
            topic("trips.parked", Map.of()));
    feeder = new LogFeeder(stack.broker("dc1").bootstrap(), "trips.log", SHARDS, 20_260_131);
  }

  @AfterEach
  void end() throws Exception {
    feeder.close();
    try (var admin = stack.broker("dc1").admin()) {
      admin.deleteTopics(List.of("trips.log", "trips.trigger-state", "trips.parked")).all().get();
      admin.deleteConsumerGroups(List.of("trips-trigger-billing")).all().get();
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void a_poisonous_row_is_parked_with_what_follows_it_delays_no_other_and_is_replayed_in_order(
      Order order) throws Exception {
    var poisonous = feeder.rows().get(7);
    var mended = new AtomicBoolean(true);
    try (var stalls = new Stalls();
        var trigger =
            billing()
                .ordered(order)
                .attempts(3)
                .backOff(Duration.ofMillis(50), Duration.ofMillis(200))
                .call(
                    cell -> {
                      if (cell.row().equals(poisonous) && !mended.get()) {
                        throw new IOException("the card of this row can't be read");
                      }
                      add(cell);
                    })
                .start()) {
      await().atMost(SOON).until(() -> isRunning(trigger));
      feedFor(Duration.ofSeconds(3));
      await().atMost(SOON).until(() -> calls().size() == feeder.written("BASE").size());
      long usual = longestDelay(poisonous);
      int before = of(poisonous).size();

      mended.set(false);
      feedFor(Duration.ofSeconds(6));
      feeder.feed(List.of(poisonous, feeder.rows().get(8)), "BASE");
      await()
          .atMost(SOON)
          .until(
              () ->
                  calls().size() - before
                      == cells(feeder.written("BASE"), poisonous, false).size());
      await()
          .atMost(SOON)
          .until(() -> parked() == cells(feeder.written("BASE"), poisonous, true).size() - before);

      assertThat(trigger.state().parkedRows()).isEqualTo(1);
      assertThat(trigger.state().phase()).isEqualTo(Phase.RUNNING);
      assertThat(of(poisonous)).hasSize(before);
      // What a busy machine adds to the delay of every thread is not the poison's.
      long stall = 2 * stalls.longest().toMillis();
      assertThat(longestDelay(poisonous))
          .as("the longest delay of another row in ms; %d without poison, stalls %d", usual, stall)
          .isLessThan(usual + stall + 1_000);

      mended.set(true);
      request(poisonous, new Request.Replay("test", Instant.now(), poisonous));
      feeder.feed(Collections.nCopies(20, poisonous), "BASE");
      var all = cells(feeder.written("BASE"), poisonous, true);
      await().atMost(SOON).until(() -> of(poisonous).size() >= all.size());
      assertThat(of(poisonous)).isEqualTo(all);
      await().atMost(SOON).until(() -> trigger.state().parkedRows() == 0);

      feeder.feed(List.of(poisonous), "BASE");
      await().atMost(SOON).until(() -> of(poisonous).size() == all.size() + 1);
    }
  }

  @Test
  void rows_of_one_shard_are_replayed_one_after_the_other_while_others_of_it_wait()
      throws Exception {
    var shard = SHARDS.of(feeder.rows().get(0));
    var poisonous = feeder.rows().stream().filter(row -> SHARDS.of(row) == shard).toList();
    assertThat(poisonous).hasSizeGreaterThan(2);
    var parkedOnes = poisonous.subList(0, 2);
    var mended = new AtomicBoolean();
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    try (var trigger =
        billing()
            .attempts(1)
            .call(
                cell -> {
                  if (parkedOnes.contains(cell.row()) && !mended.get()) {
                    throw new IOException("not yet");
                  }
                  if (SHARDS.of(cell.row()) == shard) {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    TimeUnit.MILLISECONDS.sleep(5);
                    running.decrementAndGet();
                  }
                  add(cell);
                })
            .start()) {
      for (int i = 0; i < 20; i++) {
        feeder.feed(parkedOnes, "BASE");
      }
      await().atMost(SOON).until(() -> trigger.state().parkedRows() == 2 && parked() == 40);
      mended.set(true);
      // The shard is busy all the time.
      for (int i = 0; i < 100; i++) {
        feeder.feed(List.of(poisonous.get(2)), "BASE");
      }
      write(
          SHARDS.partitionOf(shard),
          new StateKey.OfRequest(NAME, "all"),
          new Request.ReplayAll("test", Instant.now()));
      for (int i = 0; i < 100; i++) {
        feeder.feed(List.of(poisonous.get(2)), "BASE");
      }
      await().atMost(SOON).until(() -> calls().size() == feeder.written("BASE").size());
      await().atMost(SOON).until(() -> trigger.state().parkedRows() == 0);
      assertThat(most).hasValue(1);
      for (var row : poisonous.subList(0, 3)) {
        assertThat(of(row)).isSorted().hasSizeGreaterThanOrEqualTo(20);
      }
    }
  }

  @Test
  void a_row_whose_replay_fails_stays_parked_and_its_shard_goes_on() throws Exception {
    var poisonous = feeder.rows().get(0);
    var shard = SHARDS.of(poisonous);
    var other =
        feeder.rows().stream()
            .filter(row -> SHARDS.of(row) == shard && !row.equals(poisonous))
            .findFirst()
            .orElseThrow();
    var tried = new AtomicInteger();
    try (var trigger =
        billing()
            .attempts(2)
            .backOff(Duration.ofMillis(20), Duration.ofMillis(50))
            .call(
                cell -> {
                  if (cell.row().equals(poisonous)) {
                    tried.incrementAndGet();
                    throw new IOException("never");
                  }
                  add(cell);
                })
            .start()) {
      feeder.feed(List.of(poisonous, poisonous), "BASE");
      await().atMost(SOON).until(() -> trigger.state().parkedRows() == 1 && parked() == 2);
      assertThat(tried).hasValue(2);
      request(poisonous, new Request.Replay("test", Instant.now(), poisonous));
      await().atMost(SOON).until(() -> tried.get() == 4);
      feeder.feed(List.of(other, other), "BASE");
      await().atMost(SOON).until(() -> of(other).size() == 2);
      TimeUnit.SECONDS.sleep(1);
      assertThat(tried).as("a request is carried out once").hasValue(4);
      assertThat(trigger.state().parkedRows()).isEqualTo(1);
    }
  }

  @Test
  void a_record_that_is_none_is_parked_once_all_before_it_is_finished_and_stops_nothing()
      throws Exception {
    feeder.feed(feeder.rows(), "BASE");
    try (var producer =
        new KafkaProducer<>(
            datacenter().kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      var none = new ProducerRecord<>("trips.log", 3, "key".getBytes(UTF_8), "{}".getBytes(UTF_8));
      producer.send(none).get();
    }
    feeder.feed(feeder.rows(), "BASE");
    try (var trigger =
        billing()
            .call(
                cell -> {
                  TimeUnit.MILLISECONDS.sleep(10);
                  add(cell);
                })
            .start()) {
      await().atMost(SOON).until(() -> calls().size() == feeder.written("BASE").size());
      assertThat(called).as("nothing comes again").hasSameSizeAs(calls());
      assertThat(parked()).isEqualTo(1);
      assertThat(trigger.state().phase()).isEqualTo(Phase.RUNNING);
    }
  }

  @Test
  void a_dead_downstream_halts_the_trigger_parks_nothing_and_it_goes_on_soon_after()
      throws Exception {
    var dead = new AtomicBoolean(true);
    try (var stalls = new Stalls();
        var trigger =
            billing()
                .ordered(Order.ROW)
                .threads(16)
                .call(
                    cell -> {
                      if (dead.get()) {
                        throw new IOException("connection refused");
                      }
                      add(cell);
                    })
                .start()) {
      var feeding = feedUntil(dead);
      await().atMost(SOON).until(() -> trigger.state().phase() == Phase.HALTED);
      assertThat(trigger.state().why()).contains("connection refused");
      TimeUnit.SECONDS.sleep(10);
      assertThat(parked()).isLessThan(5);

      dead.set(false);
      long mended = System.nanoTime();
      await().atMost(SOON).until(() -> !called.isEmpty());
      assertThat(Duration.ofNanos(System.nanoTime() - mended))
          .as("with stalls of %s", stalls.longest())
          .isLessThan(Duration.ofSeconds(5).plus(stalls.longest().multipliedBy(2)));
      feeding.join();
      await().atMost(SOON).until(() -> calls().size() >= feeder.written("BASE").size());
      assertThat(trigger.state().phase()).isEqualTo(Phase.RUNNING);
      assertThat(calls()).hasSameSizeAs(feeder.written("BASE"));
    }
  }

  @Test
  void a_log_that_was_cut_halts_the_trigger_until_it_is_rewound() throws Exception {
    feeder.feed(feeder.rows(), "BASE");
    callAll();
    int before = called.size();
    feeder.feed(feeder.rows(), "BASE");
    var at = new TopicPartition("trips.log", 3);
    long end = cut(at);
    feeder.feed(feeder.rows(), "BASE");
    try (var trigger = billing().call(this::add).start()) {
      await().atMost(SOON).until(() -> trigger.state().phase() == Phase.HALTED);
      assertThat(trigger.state().why()).contains("are gone", "trigger rewind");
      assertThat(trigger.state().halted()).containsOnlyKeys(3);
      int others = feeder.written("BASE").size() - before;
      write(3, new StateKey.OfRequest(NAME, "1"), new Request.Rewind("test", Instant.now(), end));
      await().atMost(SOON).until(() -> trigger.state().phase() == Phase.RUNNING);
      long gone =
          in(at.partition(), feeder.written("BASE").subList(before, before + feeder.rows().size()));
      await().atMost(SOON).until(() -> called.size() - before == others - gone);
    }
  }

  @Test
  void a_place_that_kafka_has_forgotten_halts_the_trigger() throws Exception {
    feeder.feed(feeder.rows(), "BASE");
    callAll();
    try (var admin = stack.broker("dc1").admin()) {
      admin.deleteConsumerGroups(List.of("trips-trigger-billing")).all().get();
    }
    int before = called.size();
    try (var trigger = billing().call(this::add).start()) {
      await().atMost(SOON).until(() -> trigger.state().phase() == Phase.HALTED);
      assertThat(trigger.state().why()).contains("forgotten");
      assertThat(called).hasSize(before);
    }
    // So that there is a group to delete.
    try (var admin = stack.broker("dc1").admin()) {
      admin
          .alterConsumerGroupOffsets(
              "trips-trigger-billing",
              Map.of(new TopicPartition("trips.log", 0), new OffsetAndMetadata(0)))
          .all()
          .get();
    }
  }

  @Test
  void a_paused_trigger_calls_nobody_until_it_is_resumed() throws Exception {
    try (var trigger = billing().call(this::add).start()) {
      await().atMost(SOON).until(() -> isRunning(trigger));
      for (int p = 0; p < SHARDS.partitions(); p++) {
        write(p, new StateKey.OfPause(NAME), new Pause("test", Instant.now()));
      }
      await().atMost(SOON).until(() -> trigger.state().phase() == Phase.PAUSED);
      feeder.feed(feeder.rows(), "BASE");
      TimeUnit.SECONDS.sleep(2);
      assertThat(called).isEmpty();
      for (int p = 0; p < SHARDS.partitions(); p++) {
        write(p, StateRecord.removal(new StateKey.OfPause(NAME)));
      }
      await().atMost(SOON).until(() -> calls().size() == feeder.written("BASE").size());
    }
  }

  @Test
  void a_row_is_not_replayed_before_a_paused_trigger_is_resumed() throws Exception {
    var poisonous = feeder.rows().get(0);
    var mended = new AtomicBoolean();
    try (var trigger =
        billing()
            .attempts(1)
            .call(
                cell -> {
                  if (!mended.get()) {
                    throw new IOException("not yet");
                  }
                  add(cell);
                })
            .start()) {
      feeder.feed(List.of(poisonous, poisonous), "BASE");
      await().atMost(SOON).until(() -> trigger.state().parkedRows() == 1 && parked() == 2);
      int partition = SHARDS.partitionOf(SHARDS.of(poisonous));
      write(partition, new StateKey.OfPause(NAME), new Pause("test", Instant.now()));
      await().atMost(SOON).until(() -> trigger.state().phase() == Phase.PAUSED);
      mended.set(true);
      request(poisonous, new Request.Replay("test", Instant.now(), poisonous));
      TimeUnit.SECONDS.sleep(2);
      assertThat(called).isEmpty();

      write(partition, StateRecord.removal(new StateKey.OfPause(NAME)));

      await().atMost(SOON).until(() -> of(poisonous).size() == 2);
      await().atMost(SOON).until(() -> trigger.state().parkedRows() == 0);
    }
  }

  @Test
  void batches_come_in_order_and_what_failed_of_one_comes_again() throws Exception {
    var once = new AtomicBoolean(true);
    feeder.feed(feeder.rows(), "BASE");
    feeder.feed(feeder.rows(), "BASE");
    try (var trigger =
        billing()
            .callBatch(
                10,
                Duration.ofMillis(20),
                cells -> {
                  if (cells.size() > 2 && once.getAndSet(false)) {
                    cells.subList(0, 2).forEach(this::add);
                    throw new BatchFailedException(Map.of(cells.get(2), new IOException("no")));
                  }
                  cells.forEach(this::add);
                })
            .start()) {
      await().atMost(SOON).until(() -> calls().size() == feeder.written("BASE").size());
      assertThat(once).isFalse();
      await().atMost(SOON).untilAsserted(() -> assertThat(trigger.state().failed()).isEqualTo(1));
      assertThat(called).hasSameSizeAs(calls());
      var last = new HashMap<Integer, Long>();
      for (var call : called) {
        Long before = last.put(SHARDS.of(call.row()), call.addedId());
        assertThat(before == null || before < call.addedId())
            .as("%s after %s", call, before)
            .isTrue();
      }
    }
  }

  /** Calls with what is there, and closes the trigger. */
  private void callAll() throws Exception {
    try (var trigger = billing().call(this::add).start()) {
      await().atMost(SOON).until(() -> calls().size() == feeder.written("BASE").size());
      assertThat(trigger.state().phase()).isEqualTo(Phase.RUNNING);
    }
  }

  private Trigger billing() throws IOException {
    return Trigger.named("billing").on("BASE").of(datacenter());
  }

  private static DataCenter datacenter() throws IOException {
    return TriggerProcess.datacenter(stack.broker("dc1").bootstrap(), own.resolve("topology.yaml"));
  }

  private void add(TriggeredCell cell) {
    var record = cell.record();
    called.add(
        new Called(
            cell.row(),
            record.addedId(),
            Duration.between(record.createdAt(), Instant.now()).toMillis()));
  }

  /** Each cell once. */
  private List<Called> calls() {
    var seen = new HashSet<String>();
    return called.stream()
        .filter(call -> seen.add(SHARDS.of(call.row()) + ":" + call.addedId()))
        .toList();
  }

  private static boolean isRunning(RunningTrigger trigger) {
    return trigger.state().phase() == Phase.RUNNING
        && trigger.state().partitions() == SHARDS.partitions();
  }

  /** Of all rows but one, in milliseconds. */
  private long longestDelay(UUID but) {
    return called.stream()
        .filter(call -> !call.row().equals(but))
        .mapToLong(Called::delayMillis)
        .max()
        .orElseThrow();
  }

  private List<Long> of(UUID row) {
    return called.stream().filter(call -> call.row().equals(row)).map(Called::addedId).toList();
  }

  private static List<Long> cells(List<LogRecord> written, UUID row, boolean ofIt) {
    return written.stream()
        .filter(record -> record.cell().key().rowKey().equals(row) == ofIt)
        .map(LogRecord::addedId)
        .toList();
  }

  private static long in(int partition, List<LogRecord> cells) {
    return cells.stream().filter(cell -> SHARDS.partitionOf(cell.shard()) == partition).count();
  }

  private void feedFor(Duration time) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    feeder.feed(() -> System.nanoTime() > end, 300);
  }

  private CompletableFuture<Void> feedUntil(AtomicBoolean dead) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            feeder.feed(() -> !dead.get(), 100);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static long parked() {
    try (var client = Consumers.open(datacenter().kafka())) {
      var parked = TopicOffsets.of(client, "trips.parked");
      var records = new ArrayList<>();
      new PartitionReader(client).read(parked, records::add);
      return records.size();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where the partition begins afterwards. */
  private static long cut(TopicPartition at) throws Exception {
    try (var client = Consumers.open(datacenter().kafka());
        var admin = stack.broker("dc1").admin()) {
      long end = client.endOffsets(List.of(at)).get(at);
      admin.deleteRecords(Map.of(at, RecordsToDelete.beforeOffset(end))).all().get();
      return end;
    }
  }

  private static void request(UUID row, Request request) throws Exception {
    write(SHARDS.partitionOf(SHARDS.of(row)), new StateKey.OfRequest(NAME, "replay-1"), request);
  }

  private static void write(int partition, StateKey key, StateValue value) throws Exception {
    write(partition, StateRecord.of(key, value));
  }

  private static void write(int partition, StateRecord record) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            datacenter().kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record.in(TOPICS.triggerState(), partition)).get();
    }
  }

  private static NewTopic topic(String name, Map<String, String> settings) {
    return new NewTopic(name, Optional.of(SHARDS.partitions()), Optional.empty()).configs(settings);
  }
}
