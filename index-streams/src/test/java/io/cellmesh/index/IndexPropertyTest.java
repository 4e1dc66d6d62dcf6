package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.MisfitException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Invariant 7: whatever the order and the duplicates of delivery, and whatever a crash loses, the
 * tables end with the entries of the final cells.
 */
class IndexPropertyTest {
  private static final int SEEDS = 1_500;
  private static final Shards SHARDS = new Shards(64, 1);
  private static final Topics TOPICS = new Topics("trips");
  private static final List<IndexDefinition> DEFINITIONS =
      List.of(
          definition(
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
                - column_key: RATING
                  fields:
                    - {field: stars, type: integer}
              """),
          definition(
              """
              table: by_city
              version: 2
              datastore: trips
              column_defs:
                - column_key: BASE
                  fields:
                    - {field: city, type: integer}
                    - {field: driver, type: string, as: who}
              """),
          definition(
              """
              table: by_state
              datastore: trips
              column_defs:
                - column_key: STATUS
                  fields:
                    - {field: state, type: string}
                - column_key: BASE
                  fields:
                    - {field: city, type: integer}
              """));

  @TempDir private Path stateDir;

  private final Map<IndexDefinition, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> log;
  private TestOutputTopic<byte[], byte[]> unindexed;
  private KeyValueStore<Bytes, byte[]> state;

  @BeforeEach
  void open() {
    var pass = new Pass("p1", DEFINITIONS, false);
    var settings = new IndexSettings("none:1", stateDir, 1, 0, -1).properties("trips-index-p1");
    settings.remove(StreamsConfig.GROUP_PROTOCOL_CONFIG);
    driver =
        new TopologyTestDriver(
            IndexTopology.of(
                pass,
                TOPICS,
                SHARDS,
                new AtomicLong(),
                Stores.inMemoryKeyValueStore(IndexTopology.ROWS)),
            settings);
    log =
        driver.createInputTopic(TOPICS.log(), new ByteArraySerializer(), new ByteArraySerializer());
    DEFINITIONS.forEach(d -> outputs.put(d, output(TOPICS.index(d.label()))));
    unindexed = output(TOPICS.unindexed());
    state = driver.getKeyValueStore(IndexTopology.ROWS);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void whateverTheOrderAndTheDuplicatesOfDelivery() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var drawn = RandomCells.of(random);
      var delivered = log(drawn, random);
      for (int i = random.nextInt(10); i > 0; i--) {
        delivered.add(
            random.nextInt(delivered.size() + 1), delivered.get(random.nextInt(delivered.size())));
      }
      delivered.forEach(this::send);
      check(drawn, published(), random, seed);
    }
  }

  /**
   * A crash loses any of what was said since the last commit, entries and state alike: each of both
   * is in the broker up to a place of its own. Then the log is read again from the commit.
   */
  @Test
  void whateverACrashLosesOfStateAndEntries() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var drawn = RandomCells.of(random);
      var delivered = log(drawn, random);
      var published = emptyByIndex();
      int committed = 0;
      for (int crash = random.nextInt(4); crash > 0; crash--) {
        int until = between(committed, delivered.size(), random);
        int next = between(committed, until, random);
        int keptState = between(next, until, random);
        delivered.subList(committed, next).forEach(this::send);
        keep(published, 1, random);
        delivered.subList(next, keptState).forEach(this::send);
        var kept = state(drawn);
        delivered.subList(keptState, until).forEach(this::send);
        keep(published, 2, random);
        kept.forEach(state::put);
        committed = next;
      }
      delivered.subList(committed, delivered.size()).forEach(this::send);
      keep(published, 1, random);
      check(drawn, published, random, seed);
    }
  }

  /** Keeps of what has come out since the last call one entry in so many. */
  private void keep(Map<IndexDefinition, List<IndexEntry>> published, int oneIn, Random random) {
    published()
        .forEach(
            (definition, entries) -> {
              entries.removeIf(e -> random.nextInt(oneIn) > 0);
              published.get(definition).addAll(entries);
            });
  }

  private void check(
      RandomCells drawn,
      Map<IndexDefinition, List<IndexEntry>> published,
      Random random,
      int seed) {
    for (var definition : DEFINITIONS) {
      var table = new GuardedTable();
      table.applyShuffled(published.get(definition), random);
      assertThat(table.standing())
          .as("seed %d, %s", seed, definition.label())
          .isEqualTo(drawn.entries(definition));
    }
    unindexed.readRecordsToList();
  }

  /** The log's order has nothing to do with the ref_keys. */
  private static List<Cell> log(RandomCells drawn, Random random) {
    var cells = new ArrayList<>(drawn.cells().stream().map(RandomCells.Drawn::cell).toList());
    Collections.shuffle(cells, random);
    return cells;
  }

  private void send(Cell cell) {
    var record = new LogRecord(cell, SHARDS.of(cell.key().rowKey()), 1, Instant.EPOCH);
    log.pipeInput(Envelope.key(cell.key()), Envelope.write(record));
  }

  /** What has come out since the last call. */
  private Map<IndexDefinition, List<IndexEntry>> published() {
    var published = emptyByIndex();
    outputs.forEach(
        (definition, topic) -> {
          var codec = new IndexEntryCodec(definition);
          for (var record : topic.readRecordsToList()) {
            try {
              published.get(definition).add(codec.read(record.key(), record.value()));
            } catch (MisfitException e) {
              throw new AssertionError(e);
            }
          }
        });
    return published;
  }

  private static Map<IndexDefinition, List<IndexEntry>> emptyByIndex() {
    var empty = new HashMap<IndexDefinition, List<IndexEntry>>();
    DEFINITIONS.forEach(d -> empty.put(d, new ArrayList<>()));
    return empty;
  }

  /** The state of these cells' rows; null where there is none. */
  private Map<Bytes, byte[]> state(RandomCells drawn) {
    var records = new HashMap<Bytes, byte[]>();
    for (var cell : drawn.cells()) {
      var key = IndexProcessor.stateKey(cell.cell().key().rowKey());
      records.put(key, state.get(key));
    }
    return records;
  }

  private static int between(int from, int to, Random random) {
    return from + random.nextInt(to - from + 1);
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return driver.createOutputTopic(
        topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static IndexDefinition definition(String yaml) {
    return IndexDefinition.parse(yaml);
  }
}
