package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.operations.mesh.TableSource;
import io.cellmesh.storage.AddedIds;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a joining reads from tables and writes into them, on real servers. */
@Tag("full")
class JoiningTablesIT {
  private static final Credentials ROOT = new Credentials("root", "");
  private static final int SHARDS = 8;

  @TempDir private static Path dir;

  private static DevStack stack;
  private static Pools pools;
  private static DataCenter dc1;
  private static DataCenter dc2;

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir)
                .withInstance("trips", SHARDS, 2)
                .withDatacenters(2)
                .withClusters(1)
                .withWorkers(0),
            Progress.silent());
    pools = new Pools(ROOT);
    dc1 = BareDataCenter.withTables(stack.topology("dc1"), stack.broker("dc1"), pools);
    dc2 = BareDataCenter.withTables(stack.topology("dc2"), stack.broker("dc2"), pools);
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @Test
  void a_shard_is_read_from_a_minion_only_if_that_has_what_the_master_had_at_the_beginning()
      throws Exception {
    var cluster = dc1.topology().clusters().get(0);
    var minion = cluster.minions().get(0);
    int shard = 0;
    var mark = only(minion, shard);
    assertThat(read(Duration.ofSeconds(20), shard)).as("has all").contains(mark);

    sql(minion, "STOP REPLICA SQL_THREAD");
    var behind = insert(cluster.master(), shard, "dc1", null);
    assertThat(read(Duration.ofSeconds(1), shard))
        .as("the master stands in for a minion that does not come up to it")
        .contains(behind)
        .doesNotContain(mark);

    var late =
        CompletableFuture.runAsync(
            () -> run(minion, "START REPLICA SQL_THREAD"),
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
    assertThat(read(Duration.ofSeconds(60), shard))
        .as("a minion that comes up to it in time is waited for")
        .contains(behind, mark);
    late.join();

    sql(minion, "STOP REPLICA");
    sql(minion, "SHUTDOWN");
    assertThat(read(Duration.ofSeconds(1), shard)).contains(behind).doesNotContain(mark);
    var nobody = new StorageCluster("c9", cluster.shards(), 1, minion, List.of());
    var topology = dc1.topology();
    var lost = new Topology(topology.instance(), topology.shards(), "dc1", List.of(nobody));
    assertThatThrownBy(() -> TableSource.open(lost, pools, Duration.ofSeconds(1)))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("does not answer")
        .hasMessageContaining("nobody else knows what it had");
  }

  @Test
  void one_of_a_name_that_was_removed_gets_its_cells_back_under_their_ids_and_gives_out_none_again()
      throws Exception {
    var master = dc1.topology().clusters().get(0).master();
    var theirs = new ArrayList<UUID>();
    for (int shard = 0; shard < 3; shard++) {
      for (long id = 5; id < 55; id += 5) {
        var row = insert(master, shard, "dc2", id);
        theirs.add(row);
        send(row, id);
        insert(master, shard, "dc1", null);
      }
      // One of which dc1 kept its own: only its mesh topic has it.
      send(row(shard), 77L);
    }

    var here = dc2.topology().clusters().get(0).master();
    sql(
        here,
        "CREATE USER operator@'%'",
        "GRANT SELECT, ALTER ON *.* TO operator@'%'",
        "GRANT SESSION_VARIABLES_ADMIN ON *.* TO operator@'%'");
    var operated =
        dc2.with(
            FixedAccess.plain(
                stack.broker("dc2").bootstrap(),
                URI.create("http://127.0.0.1:1"),
                new Credentials("operator", "")));
    assertThatThrownBy(() -> new FormerCells(operated, List.of(dc1), 0).bringBack(new Counting()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("command denied to user 'operator'")
        .hasMessageContaining("CELLMESH_MYSQL_USER");

    assertThatThrownBy(
            () ->
                former()
                    .bringBack(
                        new Counting(
                            done -> {
                              throw new IllegalStateException("killed behind shard " + done);
                            },
                            2)))
        .hasMessageContaining("killed behind shard 2");
    assertThat(own(1)).as("a shard that was brought back before").hasSize(10);
    assertThat(own(2)).isEmpty();

    assertThat(former().bringBack(new Counting())).as("shards that lacked cells still").isOne();
    for (int shard = 0; shard < 3; shard++) {
      assertThat(own(shard))
          .extracting(LogRecord::addedId)
          .containsExactly(5L, 10L, 15L, 20L, 25L, 30L, 35L, 40L, 45L, 50L);
    }
    assertThat(own(0).stream().map(row -> row.cell().key().rowKey()))
        .containsExactlyElementsOf(theirs.subList(0, 10));
    assertThat(former().bringBack(new Counting())).as("said again it finds that").isZero();

    insert(here, 0, "dc2", null);
    assertThat(own(0).get(10).addedId()).isEqualTo(AddedIds.PER_EPOCH + 1);
  }

  @Test
  void cells_are_not_put_behind_newer_ones() throws Exception {
    var row = insert(dc2.topology().clusters().get(0).master(), 5, "dc1", 3L);
    send("dc2", "dc1", row, 3L);
    var here = dc1.topology().clusters().get(0).master();
    sql(here, "UPDATE trips_meta.position SET cells_next = 4 WHERE partition_no = 1");
    assertThatThrownBy(() -> new FormerCells(dc1, List.of(dc2), 0).bringBack(new Counting()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("dc1 lacks cells of its own that its peers have, in 1 shards")
        .hasMessageContaining("such as shard 5 up to origin_id 3")
        .hasMessageContaining("Give it servers that are empty");
  }

  private static FormerCells former() {
    return new FormerCells(dc2, List.of(dc1), 0);
  }

  private static List<UUID> read(Duration catchUp, int shard) throws Exception {
    var rows = new ArrayList<UUID>();
    TableSource.open(dc1.topology(), pools, catchUp)
        .read(shard, 0, 1_000, cell -> rows.add(cell.cell().key().rowKey()));
    return rows;
  }

  private static List<LogRecord> own(int shard) throws SQLException {
    var rows = new ArrayList<LogRecord>();
    try (var connection = pools.open(dc2.topology().clusterOf(shard).master())) {
      EntityScan.own(connection, dc2.topology(), shard, 0, 1_000, rows::add);
    }
    return rows;
  }

  /** A row that no other server has, so that it tells who was read. */
  private static UUID only(Server minion, int shard) throws Exception {
    sql(minion, "SET GLOBAL super_read_only = OFF");
    var row = row(shard);
    try (var connection = pools.open(minion);
        var statement = connection.createStatement()) {
      statement.execute("SET SESSION sql_log_bin = OFF");
      insert(connection, 1_000_000L, shard, row, "dc1", null);
      statement.execute("SET SESSION sql_log_bin = ON");
    }
    return row;
  }

  private static UUID insert(Server master, int shard, String origin, Long id) throws Exception {
    var row = row(shard);
    try (var connection = pools.open(master)) {
      insert(connection, null, shard, row, origin, id);
    }
    return row;
  }

  private static void insert(
      Connection connection, Long addedId, int shard, UUID row, String origin, Long id)
      throws Exception {
    var sql =
        "INSERT INTO %s.entity (added_id, row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, ?, 'BASE', 1, ?, ?, ?, UTC_TIMESTAMP(6))"
            .formatted(Names.database("trips", shard));
    try (var insert = connection.prepareStatement(sql)) {
      insert.setObject(1, addedId);
      insert.setBytes(2, UuidBytes.of(row));
      insert.setBytes(3, Body.ofJson("{\"fare\":12.50}").stored());
      insert.setString(4, origin);
      insert.setObject(5, id);
      insert.executeUpdate();
    }
  }

  private static UUID row(int shard) {
    var row = UUID.randomUUID();
    while (dc1.topology().shards().of(row) != shard) {
      row = UUID.randomUUID();
    }
    return row;
  }

  private static void send(UUID row, long id) throws Exception {
    send("dc1", "dc2", row, id);
  }

  /** A cell of an origin in a mesh topic. */
  private static void send(String at, String origin, UUID row, long id) throws Exception {
    var key = new CellKey(row, "BASE", 1);
    var cell = new Cell(key, Body.ofJson("{\"fare\":12.50}"), Optional.of(new Origin(origin, id)));
    int partition = dc1.topology().shards().partitionOf(dc1.topology().shards().of(row));
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", stack.broker(at).bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  "trips.mesh", partition, Envelope.key(key), Envelope.write(cell)))
          .get();
    }
  }

  private static void sql(Server server, String... statements) throws SQLException {
    try (var connection = pools.open(server);
        var statement = connection.createStatement()) {
      for (var text : statements) {
        statement.execute(text);
      }
      statement.execute("SET SESSION sql_log_bin = ON");
    } catch (SQLException e) {
      if (!List.of(statements).contains("SHUTDOWN")) {
        throw e;
      }
    }
  }

  private static void run(Server server, String statement) {
    try {
      sql(server, statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A step that may be killed. */
  private static final class Counting implements Step {
    private final LongConsumer kill;
    private final long at;

    Counting() {
      this(done -> {}, Long.MAX_VALUE);
    }

    Counting(LongConsumer kill, long at) {
      this.kill = kill;
      this.at = at;
    }

    @Override
    public void detail(String text) {
      // Nobody follows.
    }

    @Override
    public void progress(long done, long total) {
      assertThat(done).isBetween(0L, total);
      if (done == at) {
        kill.accept(done);
      }
    }

    @Override
    public void result(String text) {
      // Nobody follows.
    }
  }
}
