package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexTopologyTest {
  /** One partition, because the test driver has no more. */
  private static final Shards SHARDS = new Shards(64, 1);

  private static final Topics TOPICS = new Topics("trips");
  private static final Instant CREATED = Instant.parse("2026-01-31T12:00:00.123456Z");
  private static final IndexDefinition BY_DRIVER =
      IndexDefinition.parse(
          """
          table: by_driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: fare.amount, type: decimal}
            - column_key: STATUS
              fields:
                - {field: state, type: string}
          """);
  private static final IndexDefinition BY_STATE =
      IndexDefinition.parse(
          """
          table: by_state
          datastore: trips
          column_defs:
            - column_key: STATUS
              fields:
                - {field: state, type: string}
          """);
  private static final int SEEDS = 300;

  @TempDir private Path stateDir;

  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> log;

  @BeforeEach
  void open() {
    driver =
        new TopologyTestDriver(
            IndexTopology.of(List.of(BY_DRIVER, BY_STATE), TOPICS, SHARDS), settings());
    log =
        driver.createInputTopic("trips.log", new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void onePassServesEveryIndex() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\",\"fare\":{\"amount\":12.50}}");
    send(row, "STATUS", 1, "{\"state\":\"paid\"}");

    assertThat(entries(BY_DRIVER))
        .containsExactly(
            new IndexEntry(row, Arrays.asList(1L, null), Arrays.asList("ann", "12.5", null), false),
            new IndexEntry(row, List.of(1L, 1L), List.of("ann", "12.5", "paid"), false));
    assertThat(entries(BY_STATE))
        .containsExactly(new IndexEntry(row, List.of(1L), List.of("paid"), false));
    assertThat(unindexed().isEmpty()).isTrue();
  }

  @Test
  void aCellWhoseFieldDoesNotFitGoesAsideWithTheReasonAndStopsNothing() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\",\"fare\":{\"amount\":\"a lot\"}}");
    send(row, "BASE", 2, "{\"driver\":\"ann\"}");

    var aside = unindexed().readRecord();
    assertThat(new String(aside.key(), StandardCharsets.UTF_8)).isEqualTo(row.toString());
    assertThat(new String(aside.value(), StandardCharsets.UTF_8)).contains("a lot");
    assertThat(headers(aside))
        .containsEntry("index", "by_driver")
        .containsEntry("field", "fare_amount")
        .containsEntry("rule", "not a number")
        .containsEntry("topic", "trips.log")
        .containsEntry("partition", "0")
        .containsEntry("offset", "0");
    assertThat(unindexed().isEmpty()).isTrue();
    assertThat(entries(BY_DRIVER)).hasSize(1);
    assertThat(counted("unindexed-total")).isEqualTo(1);
  }

  @Test
  void aDamagedRecordGoesAsideAndStopsNothing() throws Exception {
    log.pipeInput(bytes("key"), bytes("{\"column_name\":\"BASE\""));
    log.pipeInput(bytes("key"), (byte[]) null);
    send(UUID.randomUUID(), "BASE", 2, "{\"driver\":\"ann\"}");
    assertThat(unindexed().readRecordsToList())
        .extracting(r -> headers(r).get("field") + ": " + headers(r).get("rule"))
        .containsExactly("record: not JSON", "record: its value is null");
    assertThat(entries(BY_DRIVER)).hasSize(1);
  }

  @Test
  void aRedeliveredCellSaysAgainWhatMustStand() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\"}");
    send(row, "BASE", 2, "{\"driver\":\"bob\"}");
    var first = entries(BY_DRIVER);
    assertThat(first).hasSize(3);
    send(row, "BASE", 1, "{\"driver\":\"ann\"}");
    assertThat(entries(BY_DRIVER)).isEmpty();
    send(row, "BASE", 2, "{\"driver\":\"bob\"}");
    assertThat(entries(BY_DRIVER)).containsExactlyInAnyOrderElementsOf(first.subList(1, 3));
  }

  @Test
  void anEntryStandsInThePartitionOfItsShardFieldsShard() {
    var sixteen = new Shards(64, 16);
    var partitioner = IndexTopology.byShardField(sixteen);
    var key = bytes("ann/" + UUID.randomUUID());
    assertThat(partitioner.partitions("trips.index.by_driver", key, null, 16))
        .contains(Set.of(sixteen.partitionOf(sixteen.of("ann"))));
    assertThatThrownBy(() -> partitioner.partitions("trips.index.by_driver", key, null, 12))
        .hasMessage("trips.index.by_driver has 12 partitions instead of 16");
  }

  @Test
  void whateverTheOrderAndTheDuplicatesTheSameCellsGiveTheSameEntries() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var cells = cells(random);
      var delivered = new ArrayList<>(cells);
      for (int i = random.nextInt(20); i > 0; i--) {
        delivered.add(cells.get(random.nextInt(cells.size())));
      }
      Collections.shuffle(delivered, random);
      for (var cell : delivered) {
        send(cell.key().rowKey(), cell);
      }
      for (var definition : List.of(BY_DRIVER, BY_STATE)) {
        var published = entries(definition);
        Collections.shuffle(published, random);
        assertThat(standing(published)).as("seed " + seed).isEqualTo(expected(definition, cells));
      }
      unindexed().readRecordsToList();
    }
  }

  /** Distinct cells of a few rows; some without a driver, some with one that does not fit. */
  private static List<Cell> cells(Random random) throws InvalidCellException {
    var rows = new UUID[] {uuid(random), uuid(random), uuid(random)};
    var cells = new HashMap<CellKey, Cell>();
    for (int i = 0; i < 20; i++) {
      boolean base = random.nextBoolean();
      var name = List.of("null", "7", "\"a\"", "\"b\"", "\"c\"").get(random.nextInt(5));
      var key =
          new CellKey(rows[random.nextInt(3)], base ? "BASE" : "STATUS", random.nextInt(6) - 2L);
      var body = base ? "{\"driver\":%s,\"fare\":{\"amount\":%d}}" : "{\"state\":%s,\"n\":%d}";
      cells.put(key, new Cell(key, Body.ofJson(body.formatted(name, i)), Optional.empty()));
    }
    return new ArrayList<>(cells.values());
  }

  private static UUID uuid(Random random) {
    return new UUID(random.nextLong(), random.nextLong());
  }

  /** What a table holds that keeps to the guard; removals apart. */
  private static Map<String, IndexEntry> standing(List<IndexEntry> published) {
    var table = new HashMap<String, IndexEntry>();
    for (var entry : published) {
      table.merge(
          entry.shardValue() + '/' + entry.rowKey(),
          entry,
          (there, next) -> next.supersedes(there) ? next : there);
    }
    table.values().removeIf(IndexEntry::removed);
    return table;
  }

  /** The entries of the final cells: of each row and column the highest ref_key that fits. */
  private static Map<String, IndexEntry> expected(IndexDefinition definition, List<Cell> cells) {
    var byRow = new HashMap<UUID, IndexRow>();
    var ordered = new ArrayList<>(cells);
    ordered.sort((a, b) -> Long.compare(a.key().refKey(), b.key().refKey()));
    for (var cell : ordered) {
      byRow.compute(
          cell.key().rowKey(),
          (rowKey, known) -> {
            var row = known == null ? IndexRow.empty(definition, rowKey) : known;
            try {
              return row.apply(cell.key().columnName(), cell.key().refKey(), cell.body()).row();
            } catch (MisfitException e) {
              return row;
            }
          });
    }
    var entries = new HashMap<String, IndexEntry>();
    byRow
        .values()
        .forEach(
            row -> row.entry().ifPresent(e -> entries.put(e.shardValue() + '/' + e.rowKey(), e)));
    return entries;
  }

  private void send(UUID row, String column, long refKey, String body) throws InvalidCellException {
    send(row, new Cell(new CellKey(row, column, refKey), Body.ofJson(body), Optional.empty()));
  }

  private void send(UUID row, Cell cell) {
    var stored = new Cell(cell.key(), cell.body(), Optional.of(new Origin("dc1", 1)));
    log.pipeInput(
        Envelope.key(cell.key()),
        Envelope.write(new LogRecord(stored, SHARDS.of(row), 1, CREATED)));
  }

  private List<IndexEntry> entries(IndexDefinition definition) throws MisfitException {
    var codec = new IndexEntryCodec(definition);
    TestOutputTopic<byte[], byte[]> topic = output(TOPICS.index(definition.label()));
    var entries = new ArrayList<IndexEntry>();
    for (var record : topic.readRecordsToList()) {
      entries.add(codec.read(record.key(), record.value()));
    }
    return entries;
  }

  private TestOutputTopic<byte[], byte[]> unindexed() {
    return output(TOPICS.unindexed());
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return driver.createOutputTopic(
        topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private double counted(String metric) {
    return driver.metrics().entrySet().stream()
        .filter(m -> m.getKey().name().equals(metric))
        .mapToDouble(m -> (double) m.getValue().metricValue())
        .sum();
  }

  private static Map<String, String> headers(TestRecord<byte[], byte[]> record) {
    var headers = new HashMap<String, String>();
    record
        .headers()
        .forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
    return headers;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Properties settings() {
    var settings =
        new IndexSettings("none:1", stateDir, 1, -1)
            .properties(IndexSettings.applicationId("trips", List.of(BY_DRIVER, BY_STATE)));
    settings.remove(StreamsConfig.GROUP_PROTOCOL_CONFIG);
    return settings;
  }
}
