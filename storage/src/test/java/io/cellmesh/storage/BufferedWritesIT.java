package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.BufferTable.UpTo;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements behind invariants 2, 3, 5 and 10, against real servers. */
class BufferedWritesIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static Nodes nodes;
  private static StorageCluster primary;
  private static StorageCluster secondary;

  private final RecordedRefusals refusals = new RecordedRefusals();
  private final BufferTable buffer = new BufferTable(topology);
  private Position position;

  @BeforeAll
  static void start() throws SQLException {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(2)
                .withInstance("trips", 2, 1)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    var pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    for (var cluster : topology.clusters()) {
      new InstanceSchema(topology, pools).create(cluster, shards -> {});
    }
    nodes = new Nodes(pools);
    primary = topology.clusterOf(0);
    secondary = topology.secondariesOf(primary).get(0);
  }

  @AfterAll
  static void stop() {
    nodes.close();
    stack.close();
  }

  @BeforeEach
  void readPosition() throws Exception {
    position = position();
  }

  @Test
  void cells_and_position_are_committed_together_and_only_after_what_they_wait_for()
      throws Exception {
    var row = UUID.randomUUID();
    var written = new CountDownLatch(1);
    var copied = new CountDownLatch(1);
    var result =
        CompletableFuture.supplyAsync(
            () ->
                run(
                    position,
                    List.of(cell(row, "BASE", 1, "1")),
                    () -> {
                      written.countDown();
                      join(copied);
                    }));
    assertThat(written.await(30, TimeUnit.SECONDS)).as("it waits for the copies").isTrue();
    assertThat(rows(row)).isZero();
    assertThat(position()).isEqualTo(position);
    copied.countDown();
    assertThat(result.join()).isInstanceOf(Result.Applied.class);
    assertThat(rows(row)).isEqualTo(1);
    assertThat(position().of(IngestTopic.CELLS)).isEqualTo(position.of(IngestTopic.CELLS) + 1);
  }

  @Test
  void a_second_writer_waits_for_the_first_and_then_finds_the_position_moved() throws Exception {
    var first = UUID.randomUUID();
    var second = UUID.randomUUID();
    var written = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var one =
        CompletableFuture.supplyAsync(
            () ->
                run(
                    position,
                    List.of(cell(first, "BASE", 1, "1")),
                    () -> {
                      written.countDown();
                      join(go);
                    }));
    written.await();
    var other =
        CompletableFuture.supplyAsync(
            () -> run(position, List.of(cell(second, "BASE", 1, "1")), () -> {}));
    await().during(Duration.ofMillis(500)).atMost(SOON).until(() -> !other.isDone());
    go.countDown();
    assertThat(one.join()).isInstanceOf(Result.Applied.class);
    assertThat(other.join()).isEqualTo(new Result.Moved(Map.of(0, position())));
    assertThat(rows(second)).isZero();
  }

  @Test
  void what_is_not_written_in_the_end_leaves_no_trace() throws Exception {
    var row = UUID.randomUUID();
    assertThatThrownBy(
            () ->
                run(
                    position,
                    List.of(cell(row, "BASE", 1, "1")),
                    () -> {
                      throw new IllegalStateException("no secondary");
                    }))
        .hasMessage("no secondary");
    assertThat(rows(row)).isZero();
    assertThat(position()).isEqualTo(position);
  }

  @Test
  void an_equal_body_is_a_duplicate_and_another_one_a_conflict_that_is_told() throws Exception {
    var row = UUID.randomUUID();
    run(position, List.of(cell(row, "BASE", 1, "{\"a\":1,\"b\":2}")), () -> {});
    var again =
        run(
            position(),
            List.of(
                cell(row, "BASE", 1, "{\"b\":2.0,\"a\":1}"),
                cell(row, "BASE", 1, "{\"a\":9}"),
                cell(row, "base", 1, "{\"a\":9}")),
            () -> {});
    var outcome = ((Result.Applied) again).outcome();
    assertThat(outcome.stored()).isEqualTo(1);
    assertThat(outcome.duplicates()).isEqualTo(1);
    assertThat(refusals.conflicts).singleElement().matches(c -> !c.kept().equals(c.refused()));
    assertThat(rows(row)).isEqualTo(2);
  }

  @Test
  void a_value_that_does_not_fit_is_refused_and_never_cut() throws Exception {
    var row = UUID.randomUUID();
    run(position, List.of(cell(row, "x".repeat(65), 1, "1")), () -> {});
    assertThat(refusals.reasons).singleElement().asString().contains("too long");
    assertThat(rows(row)).isZero();
  }

  @Test
  void whatever_a_name_holds_is_stored_byte_by_byte() throws Exception {
    var row = rowOfShardZero();
    var names = List.of("'; DROP TABLE entity; -- ", "\\", "%_`\"", "a\0b", "😀é", "BASE", "base");
    run(position, names.stream().map(name -> cell(row, name, 1, "1")).toList(), () -> {});
    var stored =
        new CellReader(topology, new Pools(new Credentials("root", "")), false)
            .row(row).stream().map(record -> record.cell().key().columnName()).toList();
    assertThat(stored).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void another_epoch_stops_a_writer_on_both_its_ways() {
    var stale =
        new StorageCluster(
            primary.name(),
            primary.shards(),
            primary.epoch() + 1,
            primary.master(),
            primary.minions());
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    assertThatThrownBy(() -> run(stale, position, cells, () -> {}))
        .hasRootCauseInstanceOf(StaleEpochException.class);
    assertThatThrownBy(() -> copy(stale.epoch(), 0, 1, cells))
        .isInstanceOf(StaleEpochException.class);
  }

  @Test
  void an_epoch_never_falls_whoever_tells_an_older_one() throws Exception {
    var epochs = new EpochTable(topology);
    var server = nodes.of(secondary.master());
    int older = primary.epoch() - 1;
    boolean raised = server.call(c -> epochs.raise(c, primary.name(), older));
    assertThat(raised).isFalse();
    Map<String, Integer> known = server.call(epochs::read);
    assertThat(known).containsEntry(primary.name(), primary.epoch());
  }

  @Test
  void a_copy_that_meets_a_raise_of_the_epoch_waits_for_it_and_is_refused() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    var server = stack.cluster("dc1", secondary.name()).master();
    int copies = copies();
    try (var promotion = server.connect();
        var statement = promotion.createStatement()) {
      promotion.setAutoCommit(false);
      statement.execute("UPDATE trips_meta.epoch SET epoch = epoch + 1 WHERE cluster = 'c1'");
      var copying =
          CompletableFuture.runAsync(
              () -> {
                try {
                  copy(primary.epoch(), from, from + 1, cells);
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              });
      await().during(Duration.ofMillis(500)).atMost(SOON).until(() -> !copying.isDone());
      promotion.commit();
      assertThatThrownBy(copying::join).hasCauseInstanceOf(StaleEpochException.class);
    } finally {
      server.execute("UPDATE trips_meta.epoch SET epoch = epoch - 1 WHERE cluster = 'c1'");
    }
    assertThat(copies()).isEqualTo(copies);
  }

  @Test
  void a_copy_goes_once_every_listed_minion_is_past_it_and_not_before() throws Exception {
    var minion = stack.cluster("dc1", primary.name()).minions().get(0);
    minion.execute("STOP REPLICA SQL_THREAD");
    try {
      var from = position.of(IngestTopic.CELLS);
      var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
      copy(primary.epoch(), from, from + 1, cells);
      run(position, cells, () -> {});
      assertThat(reap(topology)).isZero();
    } finally {
      minion.execute("START REPLICA SQL_THREAD");
    }
    await().atMost(SOON).until(() -> reap(topology) == 1);
  }

  @Test
  void of_copies_that_join_only_those_go_whose_last_cell_every_server_has() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var first = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    var second = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, first);
    copy(primary.epoch(), from + 1, from + 2, second);
    run(position, first, () -> {});
    await().atMost(SOON).until(() -> reap(topology) > 0);
    assertThat(copies()).as("the one that begins at the position").isEqualTo(1);
    run(position(), second, () -> {});
    await().atMost(SOON).until(() -> reap(topology) == 1);
  }

  @Test
  void a_copy_that_the_master_still_lacks_stays_although_a_minion_is_past_it() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    onMinion("SET SESSION sql_log_bin = OFF", movePositionTo(from + 1));
    try {
      assertThat(reap(topology)).isZero();
    } finally {
      onMinion("SET SESSION sql_log_bin = OFF", movePositionTo(from));
    }
    run(position, cells, () -> {});
    await().atMost(SOON).until(() -> reap(topology) == 1);
  }

  @Test
  void a_minion_that_parted_from_its_master_lets_no_copy_go() throws Exception {
    var master = stack.cluster("dc1", primary.name()).master();
    var minion = stack.cluster("dc1", primary.name()).minions().get(0);
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    run(position, cells, () -> {});
    assertThat(minion.catchesUpWith(master, SOON)).isTrue();
    var own = minion.query("SELECT CONCAT(@@server_uuid, ':1')");
    onMinion("CREATE DATABASE astray");
    await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> reap(topology) == 0);
    // As an administrator heals it: the master gets an empty transaction of that name.
    onMinion("SET SESSION sql_log_bin = OFF", "DROP DATABASE astray");
    master.execute(
        "SET SESSION gtid_next = '" + own + "'",
        "BEGIN",
        "COMMIT",
        "SET SESSION gtid_next = AUTOMATIC");
    assertThat(reap(topology)).isEqualTo(1);
  }

  @Test
  void a_minion_that_lacks_what_it_once_committed_itself_lets_no_copy_go() throws Exception {
    var master = stack.cluster("dc1", primary.name()).master();
    var minion = stack.cluster("dc1", primary.name()).minions().get(0);
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    run(position, cells, () -> {});
    assertThat(minion.catchesUpWith(master, SOON)).isTrue();
    // As if it had been the master before, and were restored from a backup of that time.
    minion.execute("STOP REPLICA SQL_THREAD");
    master.execute(
        "SET SESSION gtid_next = '" + minion.query("SELECT CONCAT(@@server_uuid, ':1000')") + "'",
        "BEGIN",
        "COMMIT",
        "SET SESSION gtid_next = AUTOMATIC");
    try {
      assertThat(reap(topology)).isZero();
    } finally {
      minion.execute("START REPLICA SQL_THREAD");
    }
    await().atMost(SOON).until(() -> reap(topology) == 1);
  }

  @Test
  void no_copy_goes_while_a_listed_minion_was_not_found_to_be_sound() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    run(position, cells, () -> {});
    assertThat(
            stack
                .cluster("dc1", primary.name())
                .minions()
                .get(0)
                .catchesUpWith(stack.cluster("dc1", primary.name()).master(), SOON))
        .isTrue();
    var minion = primary.minions().get(0);
    var careful =
        new CopyReaper(
            topology,
            new SqlPrimaryStore(topology, nodes),
            new SqlBufferStore(topology, nodes),
            server -> !server.equals(minion));
    assertThat(careful.run(first -> true)).isZero();
    assertThat(reap(topology)).isEqualTo(1);
  }

  @Test
  void no_copy_goes_by_a_map_from_before_a_promotion() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    run(position, cells, () -> {});
    var minion = stack.cluster("dc1", primary.name()).minions().get(0);
    assertThat(minion.catchesUpWith(stack.cluster("dc1", primary.name()).master(), SOON)).isTrue();
    var secondary = stack.cluster("dc1", "c2").master();
    secondary.execute("UPDATE trips_meta.epoch SET epoch = epoch + 1 WHERE cluster = 'c1'");
    try {
      assertThat(reap(topology)).isZero();
    } finally {
      secondary.execute("UPDATE trips_meta.epoch SET epoch = epoch - 1 WHERE cluster = 'c1'");
    }
    assertThat(reap(topology)).isEqualTo(1);
  }

  @Test
  void a_copy_goes_while_another_task_has_locked_others() throws Exception {
    copyFirst(IngestTopic.CELLS, primary);
    copyFirst(IngestTopic.MESH, primary);
    try (var other = stack.cluster("dc1", secondary.name()).master().connect();
        var statement = other.createStatement()) {
      other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      other.setAutoCommit(false);
      statement.execute("SELECT id FROM trips_meta.buffer WHERE topic_kind = 'cells' FOR UPDATE");
      assertThat(reapFirst(IngestTopic.MESH, primary)).isEqualTo(Map.of("c1", 1));
    }
    assertThat(reapFirst(IngestTopic.CELLS, primary)).isEqualTo(Map.of("c1", 1));
  }

  @Test
  void epochs_are_locked_in_the_order_of_their_primaries_whoever_lets_copies_go() throws Exception {
    copyFirst(IngestTopic.CELLS, primary);
    copyFirst(IngestTopic.CELLS, secondary);
    assertThat(whilePromoted(() -> reapFirst(IngestTopic.CELLS, secondary, primary)))
        .isEqualTo(Map.of("c1", 1, "c2", 1));
  }

  @Test
  void epochs_are_locked_in_the_order_of_their_primaries_whoever_brings_copies() throws Exception {
    var copies = new LinkedHashMap<StorageCluster, List<Copy>>();
    for (var of : List.of(secondary, primary)) {
      copies.put(of, List.of(first(IngestTopic.MESH, of)));
    }
    assertThat(
            whilePromoted(
                () -> {
                  nodes
                      .of(secondary.master())
                      .call(ConnectionCallback.of(c -> buffer.insert(c, copies)));
                  return reapFirst(IngestTopic.MESH, primary, secondary);
                }))
        .isEqualTo(Map.of("c1", 1, "c2", 1));
  }

  /** Does something in the other thread while the epochs of c1 and then c2 are locked here. */
  private static <T> T whilePromoted(Callable<T> work) throws Exception {
    try (var promotion = stack.cluster("dc1", secondary.name()).master().connect();
        var statement = promotion.createStatement()) {
      promotion.setAutoCommit(false);
      statement.execute("SELECT epoch FROM trips_meta.epoch WHERE cluster = 'c1' FOR UPDATE");
      var result =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return work.call();
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              });
      await().during(Duration.ofMillis(500)).atMost(SOON).until(() -> !result.isDone());
      // A deadlock if it were there already.
      statement.execute("SELECT epoch FROM trips_meta.epoch WHERE cluster = 'c2' FOR UPDATE");
      promotion.commit();
      return result.join();
    }
  }

  @Test
  void who_operates_may_let_copies_go() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    run(position, cells, () -> {});
    var account = new Account("copies", "127.0.0.1", false);
    for (var cluster : topology.clusters()) {
      var master = stack.cluster("dc1", cluster.name()).master();
      master.execute(
          new Grants(topology, List.of())
              .of(Role.OPERATOR, account, cluster)
              .toArray(String[]::new));
      master.execute("ALTER USER " + account + " IDENTIFIED BY 'operates' ACCOUNT UNLOCK");
    }
    try (var restricted =
        new Nodes(
            new Pools(
                new Credentials("copies", "operates"),
                MySqlOptions.DEFAULT.withMultiStatements()))) {
      var reaper = new CopyReaper(topology, restricted);
      await().atMost(SOON).until(() -> reaper.run(first -> true) == 1);
    }
  }

  @Test
  void no_copy_goes_while_no_minion_is_listed() throws Exception {
    var from = position.of(IngestTopic.CELLS);
    var cells = List.of(cell(UUID.randomUUID(), "BASE", 1, "1"));
    copy(primary.epoch(), from, from + 1, cells);
    run(position, cells, () -> {});
    var clusters =
        topology.clusters().stream()
            .map(c -> new StorageCluster(c.name(), c.shards(), c.epoch(), c.master(), List.of()))
            .toList();
    var alone =
        new Topology(topology.instance(), topology.shards(), topology.datacenter(), clusters);
    assertThat(reap(alone)).isZero();
    await().atMost(SOON).until(() -> reap(topology) == 1);
  }

  private Result run(Position expected, List<OffsetCell> cells, Runnable beforeCommit) {
    return run(primary, expected, cells, beforeCommit);
  }

  private Result run(
      StorageCluster as, Position expected, List<OffsetCell> cells, Runnable beforeCommit) {
    var next = new Mark(expected.of(IngestTopic.CELLS) + 1, 7);
    var write =
        new Write(
            0, expected, expected.with(IngestTopic.CELLS, next), Map.of(IngestTopic.CELLS, cells));
    try {
      return nodes
          .of(primary.master())
          .call(
              c ->
                  new EntityTransaction(topology)
                      .run(c, as, List.of(write), refusals, beforeCommit));
    } catch (SQLException | NodeUnavailableException e) {
      throw new IllegalStateException(e);
    }
  }

  private void copy(int epoch, long from, long to, List<OffsetCell> cells) throws Exception {
    var copy = new Copy(primary.name(), IngestTopic.CELLS, 0, from, new Mark(to, 7), cells);
    var known =
        new StorageCluster(
            primary.name(), primary.shards(), epoch, primary.master(), primary.minions());
    nodes
        .of(secondary.master())
        .call(
            c -> {
              buffer.insert(c, Map.of(known, List.of(copy)));
              return null;
            });
  }

  private void copyFirst(IngestTopic topic, StorageCluster of) throws Exception {
    var copies = Map.of(of, List.of(first(topic, of)));
    nodes.of(secondary.master()).call(ConnectionCallback.of(c -> buffer.insert(c, copies)));
  }

  private static Copy first(IngestTopic topic, StorageCluster of) {
    return new Copy(of.name(), topic, 0, 0, new Mark(1, 7), List.of());
  }

  /** Those that end at offset 1, of so many partitions that a scan would look cheaper. */
  private Map<String, Integer> reapFirst(IngestTopic topic, StorageCluster... of) {
    var upTo = IntStream.range(0, 20).mapToObj(partition -> new UpTo(topic, partition, 1)).toList();
    var first = Stream.of(of).map(cluster -> new Reapable(cluster, upTo)).toList();
    try {
      return nodes.of(secondary.master()).call(c -> buffer.reap(c, first, 9));
    } catch (SQLException | NodeUnavailableException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int copies() {
    return Integer.parseInt(
        stack
            .cluster("dc1", secondary.name())
            .master()
            .query("SELECT COUNT(*) FROM trips_meta.buffer"));
  }

  /** Against its master, as an administrator could. */
  private static void onMinion(String... statements) {
    var minion = stack.cluster("dc1", primary.name()).minions().get(0);
    minion.execute("SET GLOBAL super_read_only = OFF");
    try {
      minion.execute(statements);
    } finally {
      minion.execute("SET GLOBAL super_read_only = ON");
    }
  }

  private static String movePositionTo(long next) {
    return "UPDATE trips_meta.position SET cells_next = " + next + " WHERE partition_no = 0";
  }

  private static long reap(Topology as) throws SQLException {
    return new CopyReaper(as, nodes).run(first -> true);
  }

  private static Position position() throws Exception {
    return nodes
        .of(primary.master())
        .call(c -> new PositionTable(topology).read(c, List.of(0)))
        .get(0);
  }

  private static int rows(UUID row) {
    var table = Names.database("trips", 0) + ".entity";
    return Integer.parseInt(
        stack
            .cluster("dc1", primary.name())
            .master()
            .query(
                "SELECT COUNT(*) FROM %s WHERE row_key = UUID_TO_BIN('%s')".formatted(table, row)));
  }

  /** All cells go to shard 0, whatever their row keys. */
  private static OffsetCell cell(UUID row, String column, long ref, String json) {
    try {
      return new OffsetCell(
          0, 0, new Cell(new CellKey(row, column, ref), Body.ofJson(json), Optional.empty()));
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static UUID rowOfShardZero() {
    while (true) {
      var row = UUID.randomUUID();
      if (topology.shards().of(row) == 0) {
        return row;
      }
    }
  }

  private static void join(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
