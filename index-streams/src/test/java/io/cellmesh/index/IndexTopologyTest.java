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
import io.cellmesh.cell.index.MisfitException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
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

  @TempDir private Path stateDir;

  private final AtomicLong lagMs = new AtomicLong(-1);
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> log;

  @BeforeEach
  void open() {
    driver =
        new TopologyTestDriver(
            IndexTopology.of(
                new Pass("p1", List.of(BY_DRIVER, BY_STATE), false), TOPICS, SHARDS, lagMs),
            settings("trips-index-p1"));
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
    assertThat(lagMs.get()).as("ms that the last record stood in the log").isBetween(0L, 60_000L);
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
  void theOrderOfTheNamesInARecordIsNobodysAffair() throws Exception {
    var row = UUID.randomUUID();
    log.pipeInput(
        bytes(row.toString()),
        bytes(
            "{\"body\":{\"n\":[{}],\"driver\":\"ann\"},\"ref_key\":1,\"column_name\":\"BASE\",\"row_key\":\"%s\"}"
                .formatted(row)));
    assertThat(entries(BY_DRIVER)).extracting(IndexEntry::shardValue).containsExactly("ann");
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
  void aPassWithABackfillReadsItBesideTheLogIntoOneState() throws Exception {
    var pass = new Pass("p1", List.of(BY_DRIVER), true);
    var topology = IndexTopology.of(pass, TOPICS, SHARDS, new AtomicLong());
    var subtopologies = topology.describe().subtopologies();
    assertThat(subtopologies).hasSize(1);
    try (var filled = new TopologyTestDriver(topology, settings("trips-index-filled"))) {
      var bytes = new ByteArraySerializer();
      var row = UUID.randomUUID();
      var old = record(cell(row, "BASE", 1, "{\"driver\":\"ann\"}"));
      var late = record(cell(row, "STATUS", 1, "{\"state\":\"paid\"}"));
      filled
          .createInputTopic("trips.log", bytes, bytes)
          .pipeInput(Envelope.key(late.cell().key()), Envelope.write(late));
      filled
          .createInputTopic("trips.index-backfill.p1", bytes, bytes)
          .pipeInput(Envelope.key(old.cell().key()), Envelope.write(old));
      var entries = entries(filled, BY_DRIVER);
      assertThat(entries)
          .containsExactly(
              new IndexEntry(row, List.of(1L, 1L), Arrays.asList("ann", null, "paid"), false));
    }
  }

  @Test
  void stateOfOtherDefinitionsIsRefused() {
    var states = new RowStates(List.of(BY_DRIVER, BY_STATE));
    var rows = new byte[][] {null, {1, 2, 3}};
    assertThat(states.split(states.join(rows))).isDeepEqualTo(rows);
    assertThat(states.split(null)).isDeepEqualTo(new byte[][] {null, null});
    assertThatThrownBy(() -> new RowStates(List.of(BY_STATE, BY_DRIVER)).split(states.join(rows)))
        .hasMessage("the state is of other definitions, but those of a pass never change");
  }

  private void send(UUID row, String column, long refKey, String body) throws InvalidCellException {
    var record = record(cell(row, column, refKey, body));
    log.pipeInput(Envelope.key(record.cell().key()), Envelope.write(record));
  }

  private static Cell cell(UUID row, String column, long refKey, String body)
      throws InvalidCellException {
    return new Cell(
        new CellKey(row, column, refKey), Body.ofJson(body), Optional.of(new Origin("dc1", 1)));
  }

  private static LogRecord record(Cell cell) {
    return new LogRecord(cell, SHARDS.of(cell.key().rowKey()), 1, CREATED);
  }

  private List<IndexEntry> entries(IndexDefinition definition) throws MisfitException {
    return entries(driver, definition);
  }

  private static List<IndexEntry> entries(TopologyTestDriver from, IndexDefinition definition)
      throws MisfitException {
    var codec = new IndexEntryCodec(definition);
    var topic =
        from.createOutputTopic(
            TOPICS.index(definition.label()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    var entries = new ArrayList<IndexEntry>();
    for (var record : topic.readRecordsToList()) {
      entries.add(codec.read(record.key(), record.value()));
    }
    return entries;
  }

  private TestOutputTopic<byte[], byte[]> unindexed() {
    return driver.createOutputTopic(
        TOPICS.unindexed(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
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

  private Properties settings(String applicationId) {
    var settings = new IndexSettings("none:1", stateDir, 1, 0, -1).properties(applicationId);
    settings.remove(StreamsConfig.GROUP_PROTOCOL_CONFIG);
    return settings;
  }
}
