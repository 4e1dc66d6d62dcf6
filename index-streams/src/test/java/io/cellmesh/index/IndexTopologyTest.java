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
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.deployment.Pass;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexTopologyTest {
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
  private DrivenPass pass;

  @BeforeEach
  void open() {
    pass = driven(new Pass("p1", List.of(BY_DRIVER, BY_STATE), false), lagMs, "state");
  }

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void onePassServesEveryIndex() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\",\"fare\":{\"amount\":12.50}}");
    send(row, "STATUS", 1, "{\"state\":\"paid\"}");

    assertThat(pass.entries(BY_DRIVER))
        .containsExactly(
            new IndexEntry(row, Arrays.asList(1L, null), Arrays.asList("ann", "12.5", null), false),
            new IndexEntry(row, List.of(1L, 1L), List.of("ann", "12.5", "paid"), false));
    assertThat(pass.entries(BY_STATE))
        .containsExactly(new IndexEntry(row, List.of(1L), List.of("paid"), false));
    assertThat(pass.unindexed().isEmpty()).isTrue();
    assertThat(lagMs.get()).as("ms that the last record stood in the log").isBetween(0L, 60_000L);
  }

  @Test
  void aCellThatDoesNotFitTheLastIndexIsRememberedInTheOthers() throws Exception {
    var byRating =
        IndexDefinition.parse(
            """
            table: by_rating
            datastore: trips
            column_defs:
              - column_key: BASE
                fields:
                  - {field: rating, type: decimal}
            """);
    var row = UUID.randomUUID();
    try (var two = driven(new Pass("p2", List.of(BY_DRIVER, byRating), false), lagMs, "two")) {
      two.send("trips.log", record(row, "BASE", 1, "{\"driver\":\"ann\",\"rating\":\"good\"}"));
      two.send("trips.log", record(row, "STATUS", 1, "{\"state\":\"paid\"}"));
      assertThat(two.entries(BY_DRIVER))
          .containsExactly(
              new IndexEntry(row, Arrays.asList(1L, null), Arrays.asList("ann", null, null), false),
              new IndexEntry(row, List.of(1L, 1L), Arrays.asList("ann", null, "paid"), false));
    }
  }

  @Test
  void aCellWhoseFieldDoesNotFitGoesAsideWithTheReasonAndStopsNothing() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\",\"fare\":{\"amount\":\"a lot\"}}");
    send(row, "BASE", 2, "{\"driver\":\"ann\"}");

    var aside = pass.unindexed().readRecord();
    assertThat(new String(aside.key(), StandardCharsets.UTF_8)).isEqualTo(row.toString());
    assertThat(new String(aside.value(), StandardCharsets.UTF_8)).contains("a lot");
    assertThat(headers(aside))
        .containsEntry("index", "by_driver")
        .containsEntry("field", "fare_amount")
        .containsEntry("rule", "not a number")
        .containsEntry("topic", "trips.log")
        .containsEntry("partition", "0")
        .containsEntry("offset", "0");
    assertThat(pass.unindexed().isEmpty()).isTrue();
    assertThat(pass.entries(BY_DRIVER)).hasSize(1);
    assertThat(pass.counted("unindexed-total")).isEqualTo(1);
  }

  @Test
  void aDamagedRecordGoesAsideAndStopsNothing() throws Exception {
    pass.send("trips.log", bytes("key"), bytes("{\"column_name\":\"BASE\""));
    pass.send("trips.log", bytes("key"), null);
    send(UUID.randomUUID(), "BASE", 2, "{\"driver\":\"ann\"}");
    assertThat(pass.unindexed().readRecordsToList())
        .extracting(r -> headers(r).get("field") + ": " + headers(r).get("rule"))
        .containsExactly("record: not JSON", "record: its value is null");
    assertThat(pass.entries(BY_DRIVER)).hasSize(1);
  }

  @Test
  void whatTheTopicOfTheUnindexedCouldNotHoldGoesThereWithoutItsValue() {
    pass.send("trips.log", bytes("key"), new byte[4_190_000]);
    var aside = pass.unindexed().readRecord();
    assertThat(aside.value()).isNull();
    assertThat(headers(aside)).containsEntry("size", "4190000").containsEntry("offset", "0");
  }

  @Test
  void headersThatAreTooLargeForTheUnindexedAreLeftOutToo() {
    var headers = new RecordHeaders().add("theirs", new byte[4_190_000]);
    pass.send(
        "trips.log", new TestRecord<>(bytes("key"), bytes("no cell"), headers, Instant.now()));
    var aside = pass.unindexed().readRecord();
    assertThat(headers(aside)).containsEntry("size", "7").containsEntry("offset", "0");
    assertThat(headers(aside)).doesNotContainKey("theirs");
    assertThat(aside.value()).isNull();
  }

  @Test
  void aRecordWithoutATimeIsIndexedLikeAnyOther() throws Exception {
    var record = record(UUID.randomUUID(), "BASE", 1, "{\"driver\":\"ann\"}");
    send(record, Instant.ofEpochMilli(-1));
    send(record, Instant.ofEpochMilli(Long.MIN_VALUE));
    assertThat(pass.entries(BY_DRIVER)).extracting(IndexEntry::shardValue).contains("ann", "ann");
    assertThat(lagMs.get()).isBetween(0L, 60_000L);
  }

  @Test
  void anEntryNeverBearsATimeThatHasNotComeYet() throws Exception {
    var record = record(UUID.randomUUID(), "BASE", 1, "{\"driver\":\"ann\"}");
    send(record, Instant.now().plus(Duration.ofDays(400)));
    assertThat(pass.records(BY_DRIVER))
        .singleElement()
        .satisfies(entry -> assertThat(entry.getRecordTime()).isBeforeOrEqualTo(Instant.now()));
  }

  private void send(LogRecord record, Instant time) {
    var key = Envelope.key(record.cell().key());
    pass.send(
        "trips.log", new TestRecord<>(key, Envelope.write(record), new RecordHeaders(), time));
  }

  @Test
  void theOrderOfTheNamesInARecordIsNobodysAffair() throws Exception {
    var row = UUID.randomUUID();
    pass.send(
        "trips.log",
        bytes(row.toString()),
        bytes(
            "{\"body\":{\"n\":[{}],\"driver\":\"ann\"},\"ref_key\":1,\"column_name\":\"BASE\",\"row_key\":\"%s\"}"
                .formatted(row)));
    assertThat(pass.entries(BY_DRIVER)).extracting(IndexEntry::shardValue).containsExactly("ann");
  }

  @Test
  void aRedeliveredCellSaysAgainWhatMustStand() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\"}");
    send(row, "BASE", 2, "{\"driver\":\"bob\"}");
    var first = pass.entries(BY_DRIVER);
    assertThat(first).hasSize(3);
    send(row, "BASE", 1, "{\"driver\":\"ann\"}");
    assertThat(pass.entries(BY_DRIVER)).containsExactly(first.get(2));
    send(row, "BASE", 2, "{\"driver\":\"bob\"}");
    assertThat(pass.entries(BY_DRIVER)).containsExactlyInAnyOrderElementsOf(first.subList(1, 3));
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
    var backfilled = new Pass("p1", List.of(BY_DRIVER), true);
    var topology =
        IndexTopology.of(backfilled, DrivenPass.TOPICS, DrivenPass.SHARDS, new AtomicLong());
    assertThat(topology.describe().subtopologies()).hasSize(1);
    try (var filled = driven(backfilled, new AtomicLong(), "filled")) {
      var row = UUID.randomUUID();
      filled.send("trips.log", record(row, "STATUS", 1, "{\"state\":\"paid\"}"));
      filled.send("trips.index-backfill.p1", record(row, "BASE", 1, "{\"driver\":\"ann\"}"));
      assertThat(filled.entries(BY_DRIVER))
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

  @Test
  void stateThatCantBeReadEndsThePassWithTheRowAndThePartitionInWords() throws Exception {
    var row = UUID.randomUUID();
    var key = IndexProcessor.stateKey(row);
    send(row, "BASE", 1, "{\"driver\":\"ann\"}");
    var good = pass.state().get(key);
    var other = new RowStates(List.of(BY_STATE)).join(new byte[][] {null});
    var damaged = good.clone();
    damaged[2 * Integer.BYTES] = 63;
    for (var stored : List.of(new byte[0], other, Arrays.copyOf(good, good.length - 1), damaged)) {
      pass.state().put(key, stored);
      assertThatThrownBy(() -> send(row, "BASE", 2, "{\"driver\":\"bob\"}"))
          .satisfies(
              failure ->
                  assertThat(StateDamage.in(failure))
                      .hasValueSatisfying(
                          found -> {
                            assertThat(found.what())
                                .startsWith("row " + row + ", partition 0: the state");
                            assertThat(found.partition()).hasValue(0);
                            assertThat(found.onDisk()).isFalse();
                          }));
    }
  }

  /** Nothing but that exception makes way for {@link DamagedStates}. */
  @Test
  void whateverBytesAreDamagedTheStateReadsBackOrIsToldToBeDamaged() throws Exception {
    var row = UUID.randomUUID();
    send(row, "BASE", 1, "{\"driver\":\"ann\",\"fare\":{\"amount\":12.50}}");
    send(row, "BASE", 2, "{\"driver\":\"bob\"}");
    var good = pass.state().get(IndexProcessor.stateKey(row));
    var states = new RowStates(List.of(BY_DRIVER, BY_STATE));
    var random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      var stored = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(90) : good.length);
      for (int flips = random.nextInt(3); flips >= 0 && stored.length > 0; flips--) {
        stored[random.nextInt(stored.length)] = (byte) random.nextInt();
      }
      try {
        var rows = states.split(stored);
        if (rows[0] != null) {
          IndexRow.ofBytes(BY_DRIVER, row, rows[0])
              .apply("BASE", 3, Body.ofJson("{}"))
              .row()
              .toBytes();
        }
      } catch (IllegalStateException damage) {
        assertThat(damage).hasMessageContaining("state");
      }
    }
  }

  private void send(UUID row, String column, long refKey, String body) throws InvalidCellException {
    pass.send("trips.log", record(row, column, refKey, body));
  }

  private static LogRecord record(UUID row, String column, long refKey, String body)
      throws InvalidCellException {
    var cell =
        new Cell(
            new CellKey(row, column, refKey), Body.ofJson(body), Optional.of(new Origin("dc1", 1)));
    return new LogRecord(cell, DrivenPass.SHARDS.of(row), 1, CREATED);
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

  private DrivenPass driven(Pass pass, AtomicLong lagMs, String state) {
    var rows = Stores.persistentKeyValueStore(IndexTopology.ROWS);
    return new DrivenPass(pass, lagMs, rows, stateDir.resolve(state));
  }
}
