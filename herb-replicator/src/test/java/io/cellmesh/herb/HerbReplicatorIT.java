package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application as it is shipped, between two real brokers. */
class HerbReplicatorIT {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Shards SHARDS = new Shards(64, 16);
  private static final Topics TOPICS = new Topics("trips");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Nobody listens there. */
  private static final String DEAD = "127.0.0.1:9";

  @TempDir static Path dir;

  private static DevStack stack;

  private final Map<Integer, Long> lastId = new TreeMap<>();

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(2)
                .withoutMySql()
                .withWorkers(0),
            Progress.silent());
    topic("dc1", TOPICS.mesh(), 16);
    topic("dc2", TOPICS.log(), 16);
    Files.writeString(
        dir.resolve("topology.yaml"),
        """
        instance: trips
        shards: 64
        partitions: 16
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
        """);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void thePeersCellsArriveInOrderThroughKillsAndOutagesWhileAnotherPeerIsDead() throws Exception {
    var app =
        app("herb", "--peer", "dc2=" + stack.broker("dc2").bootstrap(), "--peer", "dc3=" + DEAD);
    int sent = send(500);
    await().atMost(PATIENCE).until(() -> arrived().size() >= 500);

    app.kill();
    sent += send(500);
    app.restart();
    int soFar = sent;
    await().atMost(PATIENCE).until(() -> distinct(arrived()).size() >= soFar);

    stack.broker("dc1").kill();
    sent += send(500);
    stack.broker("dc1").restart();
    int all = sent;
    await().atMost(PATIENCE).until(() -> distinct(arrived()).size() >= all);

    var cells = arrived();
    assertThat(distinct(cells)).hasSize(all);
    assertInOrderApartFromRepetitions(cells);
    app.stop();
    assertThat(Files.readString(app.log())).contains("Link to dc3: waiting", "Stopped");
  }

  @Test
  void aPeerWithOtherPartitionsIsRefusedAndTheProcessEnds() throws Exception {
    topic("dc1", "riders.mesh", 16);
    topic("dc2", "riders.log", 8);
    var topology = Files.readString(dir.resolve("topology.yaml")).replace("trips", "riders");
    Files.writeString(dir.resolve("riders.yaml"), topology);
    var app =
        app(
            "herb-riders",
            dir.resolve("riders.yaml"),
            "--peer",
            "dc2=" + stack.broker("dc2").bootstrap());
    await().atMost(PATIENCE).until(() -> !app.isAlive());
    assertThat(Files.readString(app.log()))
        .contains("Link to dc2 refused: riders.log at")
        .contains("has 8 partitions, the topology says partitions: 16");
  }

  private static JavaApp app(String name, String... peers) {
    return app(name, dir.resolve("topology.yaml"), peers);
  }

  private static JavaApp app(String name, Path topology, String... peers) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--topology", topology.toString(), "--bootstrap", stack.broker("dc1").bootstrap()));
    arguments.addAll(List.of(peers));
    return stack.startApp(
        new JavaApp.Spec(
            name,
            HOME.resolve("herb-replicator/target/app"),
            "io.cellmesh.herb.HerbReplicatorMain",
            arguments,
            Map.of(),
            List.of("-Xmx128m")));
  }

  private static void topic(String dc, String name, int partitions) {
    stack.broker(dc).create(new NewTopic(name, partitions, (short) 1));
  }

  /** Cells of dc2's own and, between them, some that dc2 has from dc1. */
  private int send(int count) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", stack.broker("dc2").bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        producer.send(log("dc2"));
        if (i % 5 == 0) {
          producer.send(log("dc1"));
        }
      }
    }
    return count;
  }

  private ProducerRecord<byte[], byte[]> log(String origin) throws Exception {
    var key = new CellKey(UUID.randomUUID(), "BASE", 1);
    int shard = SHARDS.of(key.rowKey());
    long id = lastId.merge(shard, 1L, Long::sum);
    var cell = new Cell(key, Body.ofJson("{\"n\":1.50}"), Optional.of(new Origin(origin, id)));
    return new ProducerRecord<>(
        TOPICS.log(),
        SHARDS.partitionOf(shard),
        Envelope.key(key),
        Envelope.write(new LogRecord(cell, shard, id, Instant.EPOCH)));
  }

  private record Arrived(int shard, long originId) {}

  private static List<Arrived> arrived() {
    var partitions = new ArrayList<TopicPartition>();
    for (int i = 0; i < SHARDS.partitions(); i++) {
      partitions.add(new TopicPartition(TOPICS.mesh(), i));
    }
    var cells = new ArrayList<Arrived>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", stack.broker("dc1").bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long left = consumer.endOffsets(partitions).values().stream().mapToLong(o -> o).sum();
      while (left > 0) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          left--;
          int shard = SHARDS.of(record.key());
          assertThat(record.partition()).isEqualTo(SHARDS.partitionOf(shard));
          var json = new String(record.value(), StandardCharsets.UTF_8);
          assertThat(json).contains("\"origin\":\"dc2\"").doesNotContain("added_id");
          cells.add(
              new Arrived(
                  shard, Long.parseLong(json.replaceAll(".*\"origin_id\":(\\d+).*", "$1"))));
        }
      }
    }
    return cells;
  }

  private static List<Arrived> distinct(List<Arrived> cells) {
    return cells.stream().distinct().toList();
  }

  /** A repetition begins at some earlier cell and goes on from there without a gap. */
  private static void assertInOrderApartFromRepetitions(List<Arrived> cells) {
    var firsts = new TreeMap<Integer, Long>();
    for (var cell : distinct(cells)) {
      var before = firsts.put(cell.shard(), cell.originId());
      assertThat(before == null || before < cell.originId())
          .as("%s after %s", cell, before)
          .isTrue();
    }
  }
}
