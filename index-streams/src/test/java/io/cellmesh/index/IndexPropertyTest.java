package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.deployment.Pass;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
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

  private DrivenPass pass;

  @BeforeEach
  void open() {
    pass =
        new DrivenPass(
            new Pass("p1", DEFINITIONS, false),
            new AtomicLong(),
            Stores.inMemoryKeyValueStore(IndexTopology.ROWS),
            stateDir);
  }

  @AfterEach
  void close() {
    pass.close();
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
        kept.forEach(pass.state()::put);
        committed = next;
      }
      delivered.subList(committed, delivered.size()).forEach(this::send);
      keep(published, 1, random);
      check(drawn, published, random, seed);
    }
  }

  /**
   * A crash also loses the end of the changelog. Whoever goes on has either the state on its disk,
   * which may be ahead of the changelog and has what is in there put over it, or nothing but the
   * changelog.
   */
  @Test
  void whateverACrashLosesOfTheChangelogAndWhoeverTakesOver() throws Exception {
    for (int seed = 0; seed < SEEDS / 3; seed++) {
      var random = new Random(seed);
      var drawn = RandomCells.of(random);
      var delivered = log(drawn, random);
      var published = emptyByIndex();
      var changelog = new LinkedHashMap<Bytes, byte[]>();
      int committed = 0;
      pass.changelog();
      for (int crash = random.nextInt(5); crash > 0; crash--) {
        int until = between(committed, delivered.size(), random);
        int next = between(committed, until, random);
        delivered.subList(committed, next).forEach(this::send);
        keep(published, 1, random);
        pass.changelog().forEach(put -> changelog.put(Bytes.wrap(put.key), put.value));
        delivered.subList(next, until).forEach(this::send);
        keep(published, 2, random);
        var uncommitted = pass.changelog();
        for (var put : uncommitted.subList(0, between(0, uncommitted.size(), random))) {
          changelog.put(Bytes.wrap(put.key), put.value);
          pass.state().put(Bytes.wrap(put.key), put.value);
        }
        if (random.nextBoolean()) {
          state(drawn).keySet().forEach(key -> pass.state().put(key, changelog.get(key)));
        }
        pass.changelog();
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
    pass.unindexed().readRecordsToList();
  }

  /** The log's order has nothing to do with the ref_keys. */
  private static List<Cell> log(RandomCells drawn, Random random) {
    var cells = new ArrayList<>(drawn.cells().stream().map(RandomCells.Drawn::cell).toList());
    Collections.shuffle(cells, random);
    return cells;
  }

  private void send(Cell cell) {
    int shard = DrivenPass.SHARDS.of(cell.key().rowKey());
    pass.send(DrivenPass.TOPICS.log(), new LogRecord(cell, shard, 1, Instant.EPOCH));
  }

  /** What has come out since the last call. */
  private Map<IndexDefinition, List<IndexEntry>> published() {
    var published = new HashMap<IndexDefinition, List<IndexEntry>>();
    DEFINITIONS.forEach(d -> published.put(d, pass.entries(d)));
    return published;
  }

  private static Map<IndexDefinition, List<IndexEntry>> emptyByIndex() {
    var empty = new HashMap<IndexDefinition, List<IndexEntry>>();
    DEFINITIONS.forEach(d -> empty.put(d, new ArrayList<>()));
    return empty;
  }

  /** The state of these cells' rows; null where there is none. */
  private Map<Bytes, byte[]> state(RandomCells drawn) {
    var state = pass.state();
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

  private static IndexDefinition definition(String yaml) {
    return IndexDefinition.parse(yaml);
  }
}
