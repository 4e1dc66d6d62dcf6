package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.SharedMasters;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Positions and cells in one statement, of a real server. */
class CellLookupIT {
  private static Topology topology;
  private static Pools pools;
  private static StorageCluster cluster;
  private static CellLookup lookup;

  @BeforeAll
  static void start() throws SQLException {
    topology = SharedMasters.stack().topology("dc1");
    cluster = topology.clusters().get(0);
    pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    for (var each : topology.clusters()) {
      new InstanceSchema(topology, pools).create(each, made -> {});
    }
    lookup = new CellLookup(topology);
  }

  @AfterAll
  static void stop() {
    pools.close();
  }

  @Test
  void everything_that_is_asked_for_has_its_own_place_in_the_answer() throws Exception {
    var row = row();
    var other = row();
    for (int ref : new int[] {-5, 7, 900}) {
      write(row, "BASE", ref, Integer.toString(ref));
    }
    write(row, "base", 1, "\"small\"");
    write(row, "Zoë 😀'\"\\", 1, "{\"a\":1.50}");
    write(other, "BASE", 1, "\"other\"");

    var answer =
        ask(
            new Ask.Row(row),
            new Ask.One(new CellKey(other, "BASE", 1)),
            new Ask.One(new CellKey(other, "BASE", 2)),
            new Ask.Latest(row, "BASE", OptionalLong.empty()),
            new Ask.Latest(row, "BASE", OptionalLong.of(899)),
            new Ask.Latest(row, "BASE", OptionalLong.of(-6)),
            new Ask.One(new CellKey(row, "Zoë 😀'\"\\", 1)),
            new Ask.One(new CellKey(other, "BASE", 1)));

    assertThat(answer.found().get(0))
        .extracting(r -> r.cell().key().columnName() + " " + r.cell().key().refKey())
        .containsExactly("BASE -5", "BASE 7", "BASE 900", "Zoë 😀'\"\\ 1", "base 1");
    assertThat(bodies(answer, 1)).containsExactly("\"other\"");
    assertThat(bodies(answer, 2)).isEmpty();
    assertThat(bodies(answer, 3)).containsExactly("900");
    assertThat(bodies(answer, 4)).containsExactly("7");
    assertThat(bodies(answer, 5)).isEmpty();
    assertThat(bodies(answer, 6)).containsExactly("{\"a\":1.5}");
    assertThat(bodies(answer, 7)).containsExactly("\"other\"");
    var found = answer.found().get(1).get(0);
    assertThat(found)
        .usingRecursiveComparison()
        .isEqualTo(reader().get(new CellKey(other, "BASE", 1)).orElseThrow());
  }

  @Test
  void what_is_asked_for_alone_comes_with_the_owner_s_epoch() throws Exception {
    var row = row();
    for (int ref : new int[] {-5, 7, 900}) {
      write(row, "BASE", ref, Integer.toString(ref));
    }
    write(row, "Zoë 😀'\"\\", 1, "{\"a\":1.50}");

    assertThat(bodies(alone(new Ask.Latest(row, "BASE", OptionalLong.empty())), 0))
        .containsExactly("900");
    assertThat(bodies(alone(new Ask.Latest(row, "BASE", OptionalLong.of(899))), 0))
        .containsExactly("7");
    assertThat(bodies(alone(new Ask.One(new CellKey(row, "BASE", -5))), 0)).containsExactly("-5");
    assertThat(bodies(alone(new Ask.One(new CellKey(row, "Zoë 😀'\"\\", 1))), 0))
        .containsExactly("{\"a\":1.5}");
    assertThat(bodies(alone(new Ask.Row(row)), 0)).containsExactly("-5", "7", "900", "{\"a\":1.5}");
    var found = alone(new Ask.One(new CellKey(row, "BASE", 7)));
    assertThat(found.epochs()).containsOnly(Map.entry(cluster.name(), cluster.epoch()));
    assertThat(found.found().get(0).get(0))
        .usingRecursiveComparison()
        .isEqualTo(reader().get(new CellKey(row, "BASE", 7)).orElseThrow());
  }

  @Test
  void a_later_epoch_is_told_whether_or_not_there_is_a_cell() throws Exception {
    var row = row();
    write(row, "BASE", 1, "1");
    var epochs = Names.metaDatabase(topology.instance()) + ".epoch";
    var set = "UPDATE %s SET epoch = %d WHERE cluster = '%s'";
    execute(set.formatted(epochs, cluster.epoch() + 1, cluster.name()));
    try {
      for (int ref : new int[] {1, 2}) {
        var answer = alone(new Ask.One(new CellKey(row, "BASE", ref)));
        assertThat(answer.epochs()).containsEntry(cluster.name(), cluster.epoch() + 1);
        assertThat(answer.found().get(0)).hasSize(ref == 1 ? 1 : 0);
      }
    } finally {
      execute(set.formatted(epochs, cluster.epoch(), cluster.name()));
    }
  }

  @Test
  void the_server_says_which_epochs_it_knows_and_whether_it_takes_writes() throws Exception {
    var answer = ask();
    assertThat(answer.epochs()).containsEntry(cluster.name(), cluster.epoch());
    assertThat(answer.epochs()).hasSize(topology.clusters().size());
    assertThat(answer.readOnly()).isFalse();
    assertThat(answer.positions()).containsOnlyKeys(0, 1, 2, 3);

    pools.run(cluster.master(), c -> c.createStatement().execute("SET GLOBAL read_only = ON"));
    try {
      assertThat(ask().readOnly()).isTrue();
    } finally {
      pools.run(
          cluster.master(),
          c -> c.createStatement().execute("SET GLOBAL super_read_only = OFF, read_only = OFF"));
    }
  }

  @Test
  void a_position_and_the_rows_beside_it_are_of_one_moment() throws Exception {
    var row = row();
    int partition = topology.shards().partitionOf(topology.shards().of(row));
    long first = next(partition);
    int count = 400;
    var begun = new AtomicInteger();
    var writer =
        CompletableFuture.runAsync(
            () -> {
              for (int ref = 0; ref < count; ref++) {
                begun.set(ref);
                write(row, "BASE", ref, "1");
              }
            });
    int met = 0;
    while (!writer.isDone()) {
      var asks = new ArrayList<Ask>();
      int ref = begun.get();
      asks.add(new Ask.One(new CellKey(row, "BASE", ref)));
      asks.add(new Ask.Latest(row, "BASE", OptionalLong.empty()));
      var answer = ask(asks.toArray(Ask[]::new));
      long passed = answer.positions().get(partition).of(IngestTopic.CELLS) - first;
      assertThat(answer.found().get(0)).hasSize(passed > ref ? 1 : 0);
      var latest = answer.found().get(1);
      assertThat(latest.isEmpty() ? 0 : latest.get(0).cell().key().refKey() + 1).isEqualTo(passed);
      met += passed > ref ? 1 : 0;
    }
    writer.join();
    assertThat(met).as("some were there").isPositive();
  }

  @Test
  void no_position_is_told_that_is_not_committed() throws Exception {
    var before = positions();
    var ends = Instant.now().plusSeconds(8);
    withHashIndex(
        () -> {
          var undone = CompletableFuture.runAsync(() -> writeAndUndo(ends));
          var looks = Stream.generate(() -> CompletableFuture.supplyAsync(() -> look(ends)));
          var seen = looks.limit(3).toList().stream().flatMap(l -> l.join().stream()).toList();
          undone.join();
          assertThat(seen).containsOnly(before);
        });
  }

  @Test
  void more_than_there_is_room_for_is_refused() throws Exception {
    var row = row();
    for (int ref = 0; ref < 5; ref++) {
      write(row, "BASE", ref, "\"%s\"".formatted("x".repeat(10)));
    }
    var small = new CellLookup(topology, 20);

    assertThatThrownBy(() -> pools.ask(cluster.master(), c -> small.ask(c, List.of(), rowOf(row))))
        .isInstanceOf(AnswerTooLargeException.class)
        .hasMessageContaining("20 bytes");
    assertThat(ask(new Ask.Row(row)).found().get(0)).as("the pool is well").hasSize(5);
  }

  /** As every server of MySQL 8.0 has it unless it is told otherwise. */
  private static void withHashIndex(Runnable work) throws SQLException {
    var name = "@@GLOBAL.innodb_adaptive_hash_index";
    boolean was =
        pools.ask(
            cluster.master(),
            c -> {
              try (var on = c.createStatement().executeQuery("SELECT " + name)) {
                return on.next() && on.getBoolean(1);
              }
            });
    execute("SET " + name + " = ON");
    try {
      work.run();
    } finally {
      execute("SET " + name + " = " + was);
    }
  }

  /** Advances all positions and takes that back, again and again. */
  private static void writeAndUndo(Instant ends) {
    var once = "START TRANSACTION; UPDATE %s SET cells_next = cells_next + 1000; ROLLBACK;";
    var many = once.formatted(PositionTable.name(topology)).repeat(50);
    while (Instant.now().isBefore(ends)) {
      try {
        execute(many);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The different positions that are seen until then, in both ways in which they are asked for. */
  private static Set<Map<Integer, Position>> look(Instant ends) {
    var seen = new HashSet<Map<Integer, Position>>();
    while (Instant.now().isBefore(ends)) {
      try {
        seen.add(ask().positions());
        seen.add(positions());
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
    return seen;
  }

  private static Map<Integer, Position> positions() throws SQLException {
    return pools.ask(
        cluster.master(), c -> new PositionTable(topology).read(c, List.of(0, 1, 2, 3)));
  }

  private static void execute(String sql) throws SQLException {
    pools.run(
        cluster.master(),
        c -> {
          try (var statement = c.createStatement()) {
            statement.execute(sql);
          }
        });
  }

  private static List<Ask> rowOf(UUID row) {
    return List.of(new Ask.Row(row));
  }

  private static Answer ask(Ask... asks) throws SQLException {
    return pools.ask(cluster.master(), c -> lookup.ask(c, List.of(0, 1, 2, 3), List.of(asks)));
  }

  private static Answer alone(Ask ask) throws SQLException {
    return pools.ask(cluster.master(), c -> lookup.ask(c, List.of(), List.of(ask)));
  }

  private static CellReader reader() {
    return new CellReader(topology, pools, false);
  }

  private static List<String> bodies(Answer answer, int number) {
    return answer.found().get(number).stream().map(r -> r.cell().body().toJson()).toList();
  }

  private static long next(int partition) throws SQLException {
    return position(partition).of(IngestTopic.CELLS);
  }

  private static Position position(int partition) throws SQLException {
    return pools.ask(
        cluster.master(),
        c -> new PositionTable(topology).read(c, List.of(partition)).get(partition));
  }

  /** A row that the cluster owns. */
  private static UUID row() {
    while (true) {
      var row = UUID.randomUUID();
      if (cluster.shards().contains(topology.shards().of(row))) {
        return row;
      }
    }
  }

  /** As the sink does: the cell and the position behind it, in one transaction. */
  private static void write(UUID row, String column, long ref, String json) {
    int shard = topology.shards().of(row);
    int partition = topology.shards().partitionOf(shard);
    try {
      var position = position(partition);
      long offset = position.of(IngestTopic.CELLS);
      var cell = new Cell(new CellKey(row, column, ref), Body.ofJson(json), Optional.empty());
      var write =
          new Write(
              partition,
              position,
              position.with(IngestTopic.CELLS, new Mark(offset + 1, 1)),
              Map.of(IngestTopic.CELLS, List.of(new OffsetCell(offset, shard, cell))));
      var result =
          pools.ask(
              cluster.master(),
              c ->
                  new EntityTransaction(topology)
                      .run(c, cluster, List.of(write), new RecordedRefusals(), () -> {}));
      assertThat(result).isInstanceOf(Result.Applied.class);
    } catch (SQLException | InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_row_costs_one_round_trip_too() throws Exception {
    var row = row();
    write(row, "BASE", 1, "1");

    long asked =
        pools.ask(
            cluster.master(),
            connection -> {
              long before = questions(connection);
              lookup.ask(connection, List.of(0), List.of(new Ask.Row(row)));
              lookup.ask(connection, List.of(), List.of(new Ask.Row(row)));
              return questions(connection) - before;
            });
    assertThat(asked).as("the lookups, and the question how many there were").isEqualTo(3);
  }

  private static long questions(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var status = statement.executeQuery("SHOW SESSION STATUS LIKE 'Questions'")) {
      status.next();
      return status.getLong(2);
    }
  }
}
