package io.cellmesh.index;

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
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application as it is shipped, in a process of its own, against a real broker. */
class IndexStreamsIT {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Shards SHARDS = new Shards(64, 16);
  private static final Topics TOPICS = new Topics("trips");
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
      """;
  private static final String INDEX =
      """
      table: by_driver
      datastore: trips
      column_defs:
        - column_key: BASE
          fields:
            - {field: driver, type: string}
        - column_key: STATUS
          fields:
            - {field: state, type: string}
      """;

  @TempDir Path dir;

  private final IndexDefinition definition = IndexDefinition.parse(INDEX);
  private final List<Cell> sent = new ArrayList<>();
  private final Random random = new Random(5);
  private DevStack stack;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withoutMySql()
                .withWorkers(0),
            Progress.silent());
    try (var admin = stack.broker("dc1").admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(TOPICS.log(), 16, (short) 1),
                  new NewTopic(TOPICS.index("by_driver"), 16, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact")),
                  new NewTopic(TOPICS.unindexed(), 1, (short) 1)))
          .all()
          .get();
    }
    Files.writeString(dir.resolve("topology.yaml"), TOPOLOGY);
    Files.writeString(dir.resolve("index.yaml"), INDEX);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.broker("dc1").bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close();
    stack.close();
  }

  @Test
  void killedAndRobbedOfItsStateItEndsWithTheEntriesOfTheCells() throws Exception {
    var app = app();
    for (int kill = 0; kill < 3; kill++) {
      send(500);
      int soFar = sent.size();
      await().atMost(PATIENCE).until(() -> entriesWritten() > soFar / 4);
      app.kill();
      if (kill == 1) {
        deleteState();
      }
      send(200);
      app.restart();
    }
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(standing()).isEqualTo(expected()));

    app.stop();
    assertThat(Files.readString(app.log())).contains("Stopped").doesNotContain(" ERROR ");
  }

  private JavaApp app() {
    return stack.startApp(
        new JavaApp.Spec(
            "index-streams",
            HOME.resolve("index-streams/target/app"),
            "io.cellmesh.index.IndexStreamsMain",
            List.of(
                "--topology", dir.resolve("topology.yaml").toString(),
                "--bootstrap", stack.broker("dc1").bootstrap(),
                "--index", dir.resolve("index.yaml").toString(),
                "--state-dir", dir.resolve("state").toString()),
            Map.of(),
            List.of("-Xmx128m")));
  }

  private void deleteState() throws IOException {
    try (var files = Files.walk(dir.resolve("state"))) {
      for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private void send(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      var row = new UUID(1, random.nextInt(150));
      boolean base = random.nextBoolean();
      var key = new CellKey(row, base ? "BASE" : "STATUS", sent.size());
      var body =
          base
              ? "{\"driver\":%s}"
                  .formatted(List.of("null", "\"a\"", "\"b\"").get(random.nextInt(3)))
              : "{\"state\":\"s%d\"}".formatted(i);
      var cell = new Cell(key, Body.ofJson(body), Optional.of(new Origin("dc1", sent.size() + 1L)));
      sent.add(cell);
      int shard = SHARDS.of(row);
      producer.send(
          new ProducerRecord<>(
              TOPICS.log(),
              SHARDS.partitionOf(shard),
              Envelope.key(key),
              Envelope.write(new LogRecord(cell, shard, sent.size(), Instant.EPOCH))));
    }
    producer.flush();
  }

  private long entriesWritten() {
    try (var consumer = consumer()) {
      return consumer.endOffsets(partitions()).values().stream().mapToLong(o -> o).sum();
    }
  }

  /** What a table holds that keeps to the guard; removals apart. */
  private Map<String, IndexEntry> standing() throws MisfitException {
    var codec = new IndexEntryCodec(definition);
    var table = new HashMap<String, IndexEntry>();
    try (var consumer = consumer()) {
      consumer.assign(partitions());
      consumer.seekToBeginning(partitions());
      long left = consumer.endOffsets(partitions()).values().stream().mapToLong(o -> o).sum();
      while (left > 0) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          left--;
          var entry = codec.read(record.key(), record.value());
          assertThat(record.partition())
              .isEqualTo(SHARDS.partitionOf(SHARDS.of(entry.shardValue())));
          table.merge(
              new String(record.key(), StandardCharsets.UTF_8),
              entry,
              (there, next) -> next.supersedes(there) ? next : there);
        }
      }
    }
    table.values().removeIf(IndexEntry::removed);
    return table;
  }

  private Map<String, IndexEntry> expected() throws MisfitException {
    var rows = new HashMap<UUID, IndexRow>();
    for (var cell : sent) {
      var key = cell.key();
      var row = rows.getOrDefault(key.rowKey(), IndexRow.empty(definition, key.rowKey()));
      rows.put(key.rowKey(), row.apply(key.columnName(), key.refKey(), cell.body()).row());
    }
    var entries = new HashMap<String, IndexEntry>();
    rows.values()
        .forEach(r -> r.entry().ifPresent(e -> entries.put(e.shardValue() + '/' + e.rowKey(), e)));
    return entries;
  }

  private List<TopicPartition> partitions() {
    var partitions = new ArrayList<TopicPartition>();
    for (int i = 0; i < 16; i++) {
      partitions.add(new TopicPartition(TOPICS.index("by_driver"), i));
    }
    return partitions;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", stack.broker("dc1").bootstrap()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
