package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.EntityTable.Outcome;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How a cell is decided (invariants 2, 3, 10 and 11), by a user who has the rights of a sink and no
 * others, on a real server. All cells are of shard 0 and partition 0.
 */
class CellDecisionIT {
  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static StorageCluster cluster;
  private static Pools root;
  private static Pools sink;
  private static Pools everything;

  private final RecordedRefusals refusals = new RecordedRefusals();
  private final UUID row = UUID.randomUUID();

  @BeforeAll
  static void start() throws SQLException {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(0)
                .withInstance("trips", 2, 2)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    cluster = topology.clusters().get(0);
    root = new Pools(new Credentials("root", ""));
    new InstanceSchema(topology, root).create(cluster, made -> {});
    var account = new Account("a_sink", "%", false);
    for (var statement : new Grants(topology, List.of()).of(Role.SINK, account, cluster)) {
      execute(statement);
    }
    execute("ALTER USER 'a_sink'@'%' IDENTIFIED BY 'pw' ACCOUNT UNLOCK");
    sink = new Pools(new Credentials("a_sink", "pw"), MySqlOptions.DEFAULT.withMultiStatements());
    everything = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
  }

  @AfterAll
  static void stop() {
    root.close();
    sink.close();
    everything.close();
    stack.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    execute("DELETE FROM trips_0000.entity");
    execute("DELETE FROM trips_meta.conflict");
    execute("UPDATE trips_meta.position SET cells_next = 0, mesh_next = 0");
  }

  @Test
  void nobody_with_a_sinks_rights_can_change_a_cell() throws Exception {
    write(cell(0, 1, "1"));
    for (var column : List.of("origin", "origin_id", "body", "created_at", "ref_key")) {
      assertThatThrownBy(
              () -> asSink("UPDATE trips_0000.entity SET %s = %s".formatted(column, column)))
          .hasMessageContaining("denied");
    }
    assertThatThrownBy(() -> asSink("DELETE FROM trips_0000.entity"))
        .hasMessageContaining("denied");
    for (var column : List.of("kept_digest", "refused_digest", "decided_at", "row_key")) {
      assertThatThrownBy(
              () -> asSink("UPDATE trips_meta.conflict SET %s = %s".formatted(column, column)))
          .hasMessageContaining("denied");
    }
    asSink("UPDATE trips_meta.conflict SET told_at = NULL");
  }

  @Test
  void what_is_there_already_and_what_comes_twice_at_once_is_decided_in_offset_order()
      throws Exception {
    write(cell(0, 1, "{\"a\":1,\"b\":2}"));

    var outcome =
        write(
            cell(1, 2, "\"new\""),
            cell(2, 1, "{\"b\":2.0,\"a\":1}"),
            cell(3, 2, "\"new\""),
            cell(4, 1, "\"other\""),
            cell(5, 2, "\"other\""),
            cell(6, 2, "\"new\""),
            cell(7, 3, "3"));

    assertThat(outcome.stored()).isEqualTo(2);
    assertThat(outcome.duplicates()).as("the first stays the first").isEqualTo(3);
    assertThat(outcome.conflicts()).extracting(d -> d.place().offset()).containsExactly(4L, 5L);
    assertThat(refusals.conflicts).isEqualTo(outcome.conflicts());
    assertThat(stored()).containsExactly("1", "2", "3");
    assertThat(position().of(IngestTopic.CELLS)).isEqualTo(8);
  }

  @Test
  void a_conflict_stands_in_the_ledger_with_its_record_and_both_origins() throws Exception {
    write(cell(0, 1, "1"));
    var cells = List.of(ofMesh(3, 1, "2", "dc2", 9));
    var outcome = write(Map.of(IngestTopic.MESH, cells), () -> {});

    var ledger = ledger();
    assertThat(ledger).usingRecursiveComparison().isEqualTo(outcome.conflicts());
    var decision = ledger.get(0);
    assertThat(decision.topic()).isEqualTo(IngestTopic.MESH);
    assertThat(decision.key()).isEqualTo(new CellKey(row, "BASE", 1));
    assertThat(decision.kept()).isEqualTo(Body.ofJson("1").digest());
    assertThat(decision.refused()).isEqualTo(Body.ofJson("2").digest());
    assertThat(decision.keptOrigin()).isEqualTo("dc1");
    assertThat(decision.refusedOrigin()).isEqualTo("dc2");
    assertThat(decision.record()).isPresent();
  }

  @Test
  void a_decision_that_is_rolled_back_leaves_no_trace_in_the_ledger() throws Exception {
    write(cell(0, 1, "1"));
    assertThatThrownBy(
            () ->
                write(
                    Map.of(IngestTopic.CELLS, List.of(cell(1, 1, "2"))),
                    () -> {
                      throw new IllegalStateException("no secondary");
                    }))
        .hasMessage("no secondary");
    assertThat(ledger()).isEmpty();
    assertThat(position().of(IngestTopic.CELLS)).isEqualTo(1);
  }

  @Test
  void a_record_that_comes_again_is_neither_written_down_nor_told_again() throws Exception {
    write(cell(0, 1, "1"));
    write(cell(1, 1, "2"));
    ledgerTold();
    execute("UPDATE trips_meta.position SET cells_next = 0");

    var again = write(cell(0, 1, "1"), cell(1, 1, "2"), cell(2, 1, "3"));

    assertThat(again.duplicates()).isEqualTo(1);
    assertThat(again.conflicts()).hasSize(2);
    assertThat(refusals.conflicts).extracting(d -> d.place().offset()).containsExactly(1L, 2L);
    assertThat(ledger()).extracting(d -> d.place().offset()).containsExactly(2L);
  }

  @Test
  void values_that_mysql_refuses_are_found_and_named_and_the_others_are_stored_in_order()
      throws Exception {
    var cells = new ArrayList<OffsetCell>();
    for (int i = 0; i < 200; i++) {
      cells.add(ofMesh(i, i, "1", "dc2", i == 77 || i == 199 ? -1 : i));
    }
    cells.set(
        3,
        new OffsetCell(
            3, 0, new Cell(new CellKey(row, "x".repeat(65), 3), body("1"), Optional.empty())));
    var outcome = write(Map.of(IngestTopic.MESH, cells), () -> {});

    assertThat(outcome.stored()).isEqualTo(197);
    assertThat(outcome.misfits()).isEqualTo(3);
    assertThat(refusals.misfits).extracting(OffsetCell::offset).containsExactly(3L, 77L, 199L);
    assertThat(refusals.reasons.get(0)).startsWith("column_name: ").contains("too long");
    assertThat(refusals.reasons.get(1)).startsWith("origin_id: ").contains("out of range");
    var expected = new ArrayList<String>();
    for (int i = 0; i < 200; i++) {
      if (i != 3 && i != 77 && i != 199) {
        expected.add(String.valueOf(i));
      }
    }
    assertThat(stored()).isEqualTo(expected);
    assertThat(position().of(IngestTopic.MESH)).isEqualTo(200);
  }

  @Test
  void a_cell_that_is_refused_for_a_value_does_not_count_for_one_with_its_key_behind_it()
      throws Exception {
    write(cell(0, 50, "50"));
    var cells =
        List.of(
            ofMesh(0, 1, "1", "dc2", -1),
            ofMesh(1, 50, "50", "dc2", 5),
            ofMesh(2, 1, "\"another\"", "dc2", 6),
            ofMesh(3, 2, "2", "dc2", 7),
            ofMesh(4, 50, "\"another\"", "dc2", -1));
    var outcome = write(Map.of(IngestTopic.MESH, cells), () -> {});

    assertThat(stored()).containsExactly("50", "1", "2");
    assertThat(outcome.stored()).isEqualTo(2);
    assertThat(outcome.duplicates()).isEqualTo(1);
    assertThat(outcome.misfits()).isEqualTo(1);
    // What conflicts is refused for that, whatever else is wrong with it.
    assertThat(outcome.conflicts()).extracting(d -> d.place().offset()).containsExactly(4L);
  }

  @Test
  void a_writer_with_an_older_or_a_newer_map_writes_nothing() throws Exception {
    for (int difference : new int[] {-1, 1}) {
      execute("UPDATE trips_meta.epoch SET epoch = 5");
      try {
        assertThatThrownBy(() -> write(5 + difference, cell(0, 1, "1")))
            .as("a map whose epoch is %d away", difference)
            .isInstanceOf(StaleEpochException.class);
        assertThat(stored()).isEmpty();
        assertThat(position().of(IngestTopic.CELLS)).isZero();
      } finally {
        execute("UPDATE trips_meta.epoch SET epoch = " + cluster.epoch());
      }
    }
  }

  @Test
  void a_writer_with_another_map_decides_nothing_where_keys_are_taken() throws Exception {
    write(cell(0, 1, "1"));
    for (int difference : new int[] {-1, 1}) {
      execute("UPDATE trips_meta.epoch SET epoch = 5");
      try {
        assertThatThrownBy(() -> write(5 + difference, cell(1, 1, "2")))
            .isInstanceOf(StaleEpochException.class);
        assertThat(ledger()).isEmpty();
      } finally {
        execute("UPDATE trips_meta.epoch SET epoch = " + cluster.epoch());
      }
    }
  }

  @Test
  void a_writer_who_was_overtaken_in_one_of_several_partitions_writes_in_none() throws Exception {
    execute("UPDATE trips_meta.position SET cells_next = 5 WHERE partition_no = 1");
    var at = position();
    var cells = Map.of(IngestTopic.CELLS, List.of(cell(0, 1, "1")));
    var mine = new Write(0, at, next(at, 1, 0), cells);
    var overtaken = new Write(1, at, next(at, 1, 0), Map.of());
    assertThat(run(cluster, List.of(mine, overtaken), () -> {})).isInstanceOf(Result.Moved.class);
    assertThat(stored()).isEmpty();
    assertThat(position()).isEqualTo(at);
  }

  @Test
  void a_writer_who_was_overtaken_learns_the_position_although_its_cells_are_there()
      throws Exception {
    var before = position();
    write(cell(0, 1, "1"));
    var late =
        new Write(
            0, before, next(before, 1, 0), Map.of(IngestTopic.CELLS, List.of(cell(0, 1, "2"))));
    assertThat(run(cluster, late, () -> {})).isEqualTo(new Result.Moved(Map.of(0, position())));
    assertThat(ledger()).isEmpty();
    assertThat(refusals.conflicts).isEmpty();
  }

  @Test
  void any_batches_end_as_if_their_cells_had_come_one_by_one() throws Exception {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var model = new HashMap<Long, String>();
    var order = new ArrayList<String>();
    long offset = 0;
    for (int batch = 0; batch < 60; batch++) {
      var cells = new ArrayList<OffsetCell>();
      int stored = 0;
      int duplicates = 0;
      int conflicts = 0;
      int misfits = 0;
      int size = 1 + random.nextInt(30);
      for (int i = 0; i < size; i++) {
        long key = random.nextInt(400);
        var json = String.valueOf(random.nextInt(2));
        boolean bad = random.nextInt(20) == 0;
        cells.add(ofMesh(offset++, key, json, "dc2", bad ? -1 : 1));
        var first = model.get(key);
        if (first == null && bad) {
          misfits++;
        } else if (first == null) {
          model.put(key, json);
          order.add(String.valueOf(key));
          stored++;
        } else if (first.equals(json)) {
          duplicates++;
        } else {
          conflicts++;
        }
      }
      var outcome = write(Map.of(IngestTopic.MESH, cells), () -> {});
      assertThat(
              List.of(
                  outcome.stored(),
                  outcome.duplicates(),
                  outcome.conflicts().size(),
                  outcome.misfits()))
          .as("seed %d, batch %d", seed, batch)
          .isEqualTo(List.of(stored, duplicates, conflicts, misfits));
    }
    assertThat(stored()).as("seed %d", seed).isEqualTo(order);
    assertThat(ledger()).hasSameSizeAs(refusals.conflicts);
  }

  /** Two instances stand for the two: what tells data centres apart here is the origin alone. */
  @Test
  void two_data_centres_that_write_a_key_at_once_keep_their_own_and_each_has_the_others_refused()
      throws Exception {
    var away = new Topology("rides", topology.shards(), "dc2", topology.clusters());
    new InstanceSchema(away, root).create(cluster, made -> {});
    int keys = 1_000;
    var own = new ArrayList<OffsetCell>();
    var others = new ArrayList<OffsetCell>();
    for (int i = 0; i < 2 * keys; i++) {
      own.add(cell(i, i, "{\"n\":" + i + ",\"of\":1}"));
      // The second thousand is equal as JSON, and not byte by byte.
      others.add(
          cell(i, i, i < keys ? "{\"of\":2,\"n\":" + i + "}" : "{\"of\":1.0,\"n\":" + i + "}"));
    }
    assertThat(write(topology, IngestTopic.CELLS, own).stored()).isEqualTo(2 * keys);
    assertThat(write(away, IngestTopic.CELLS, others).stored()).isEqualTo(2 * keys);

    // The mesh brings each the other's, and after a rewind the last of them once more.
    var toAway = meshed(own, "dc1");
    var toHome = meshed(others, "dc2");
    for (int from : new int[] {0, keys / 2}) {
      int again = from;
      execute("UPDATE trips_meta.position SET mesh_next = " + again);
      execute("UPDATE rides_meta.position SET mesh_next = " + again);
      var home = write(topology, IngestTopic.MESH, toHome.subList(from, 2 * keys));
      var there = write(away, IngestTopic.MESH, toAway.subList(from, 2 * keys));
      assertThat(List.of(home.stored(), there.stored())).containsOnly(0);
      assertThat(List.of(home.duplicates(), there.duplicates())).containsOnly(keys);
    }

    requireRefused(topology, "dc2", own, others.subList(0, keys));
    requireRefused(away, "dc1", others, own.subList(0, keys));
  }

  /** Each of the refused stands in the ledger once, with what was kept and whose it is. */
  private static void requireRefused(
      Topology here, String origin, List<OffsetCell> kept, List<OffsetCell> refused)
      throws SQLException {
    try (var connection = root.open(cluster.master())) {
      var listed =
          new ConflictListing(here)
              .page(connection, ConflictListing.Filter.ALL, Optional.empty(), 10_000);
      assertThat(listed).hasSameSizeAs(refused);
      for (var entry : listed) {
        int offset = (int) entry.offset();
        assertThat(entry.topic()).isEqualTo(IngestTopic.MESH);
        assertThat(entry.key()).isEqualTo(refused.get(offset).cell().key());
        assertThat(entry.kept()).isEqualTo(kept.get(offset).cell().body().digest());
        assertThat(entry.refused()).isEqualTo(refused.get(offset).cell().body().digest());
        assertThat(List.of(entry.keptOrigin(), entry.refusedOrigin()))
            .containsExactly(here.datacenter(), origin);
      }
    }
  }

  private static List<OffsetCell> meshed(List<OffsetCell> cells, String origin) {
    return cells.stream()
        .map(
            cell ->
                new OffsetCell(
                    cell.offset(),
                    0,
                    new Cell(
                        cell.cell().key(),
                        cell.cell().body(),
                        Optional.of(new Origin(origin, cell.offset() + 1)))))
        .toList();
  }

  private Outcome write(Topology here, IngestTopic topic, List<OffsetCell> cells)
      throws SQLException {
    try (var connection = sink(here).open(cluster.master())) {
      var at = new PositionTable(here).read(connection, List.of(0)).get(0);
      long end = cells.get(cells.size() - 1).offset() + 1;
      var next =
          topic == IngestTopic.CELLS
              ? next(at, end, at.of(IngestTopic.MESH))
              : next(at, at.of(IngestTopic.CELLS), end);
      var write = new Write(0, at, next, Map.of(topic, cells));
      var result =
          new EntityTransaction(here).run(connection, cluster, List.of(write), refusals, () -> {});
      return ((Result.Applied) result).outcome();
    }
  }

  /** The sink's user has rights in one instance only. */
  private static Pools sink(Topology here) {
    return here == topology ? sink : everything;
  }

  private Outcome write(OffsetCell... cells) throws SQLException {
    return write(Map.of(IngestTopic.CELLS, List.of(cells)), () -> {});
  }

  private void write(int epoch, OffsetCell cell) throws SQLException {
    var as =
        new StorageCluster(
            cluster.name(), cluster.shards(), epoch, cluster.master(), cluster.minions());
    var at = position();
    var cells = Map.of(IngestTopic.CELLS, List.of(cell));
    run(as, new Write(0, at, next(at, cell.offset() + 1, 0), cells), () -> {});
  }

  private Outcome write(Map<IngestTopic, List<OffsetCell>> cells, Runnable beforeCommit)
      throws SQLException {
    var at = position();
    var ends = new EnumMap<IngestTopic, Long>(IngestTopic.class);
    cells.forEach((topic, some) -> ends.put(topic, some.get(some.size() - 1).offset() + 1));
    var next =
        next(
            at,
            ends.getOrDefault(IngestTopic.CELLS, at.of(IngestTopic.CELLS)),
            ends.getOrDefault(IngestTopic.MESH, at.of(IngestTopic.MESH)));
    return ((Result.Applied) run(cluster, new Write(0, at, next, cells), beforeCommit)).outcome();
  }

  private Result run(StorageCluster as, Write write, Runnable beforeCommit) throws SQLException {
    return run(as, List.of(write), beforeCommit);
  }

  private Result run(StorageCluster as, List<Write> writes, Runnable beforeCommit)
      throws SQLException {
    try (var connection = sink.open(cluster.master())) {
      return new EntityTransaction(topology).run(connection, as, writes, refusals, beforeCommit);
    }
  }

  private static Position next(Position at, long cells, long mesh) {
    return new Position(new Mark(cells, at.cells().digest()), new Mark(mesh, at.mesh().digest()));
  }

  private static Position position() throws SQLException {
    try (var connection = root.open(cluster.master())) {
      return new PositionTable(topology).read(connection, List.of(0)).get(0);
    }
  }

  private static List<Decision> ledger() throws SQLException {
    var far = new Position(new Mark(Long.MAX_VALUE, 0), new Mark(Long.MAX_VALUE, 0));
    try (var connection = root.open(cluster.master())) {
      return new ConflictTable(topology).untold(connection, Map.of(0, far), 10_000);
    }
  }

  private static void ledgerTold() throws SQLException {
    var places = ledger().stream().map(Decision::place).toList();
    try (var connection = sink.open(cluster.master())) {
      new ConflictTable(topology).told(connection, places);
    }
  }

  /** The ref_keys in the order of added_id. */
  private static List<String> stored() throws SQLException {
    try (var connection = root.open(cluster.master());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT ref_key FROM trips_0000.entity ORDER BY added_id")) {
      var stored = new ArrayList<String>();
      while (rows.next()) {
        stored.add(rows.getString(1));
      }
      return stored;
    }
  }

  private static void execute(String sql) throws SQLException {
    execute(root, sql);
  }

  private static void asSink(String sql) throws SQLException {
    execute(sink, sql);
  }

  private static void execute(Pools as, String sql) throws SQLException {
    try (var connection = as.open(cluster.master());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private OffsetCell cell(long offset, long ref, String json) {
    return new OffsetCell(
        offset, 0, new Cell(new CellKey(row, "BASE", ref), body(json), Optional.empty()));
  }

  private OffsetCell ofMesh(long offset, long ref, String json, String origin, long id) {
    return new OffsetCell(
        offset,
        0,
        new Cell(new CellKey(row, "BASE", ref), body(json), Optional.of(new Origin(origin, id))));
  }

  private static Body body(String json) {
    try {
      return Body.ofJson(json);
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
