package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables and rows that commit 91b677a made, which had no version yet, on real servers. */
class InstanceUpgradeIT {
  /** Rows in the old tables, of each topic. */
  private static final UUID FIRST = UUID.fromString("592ad309-7d98-4a5d-a5b3-f440be1a4792");

  private static final UUID OF_THE_MESH = UUID.fromString("c74c216a-02f9-47b0-8a18-b094fca8eb98");

  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static Pools pools;

  @BeforeAll
  static void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(2)
                .withMinions(0)
                .withInstance("trips", 4, 2)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @BeforeEach
  void oldTables() throws Exception {
    for (var cluster : topology.clusters()) {
      for (var database : databases(cluster)) {
        on(cluster, "DROP DATABASE IF EXISTS " + database);
      }
      for (var statement : oldStatements(cluster)) {
        on(cluster, statement);
      }
    }
  }

  @Test
  void old_tables_are_refused_with_the_command_that_brings_them_to_the_present() throws Exception {
    assertThatThrownBy(() -> check("c1"))
        .isInstanceOf(SchemaVersionException.class)
        .hasMessageContaining("version 1, this program needs 2")
        .hasMessageContaining("run `cellmesh instance upgrade --topology FILE`");
    upgrade();
    assertThatCode(() -> check("c1")).doesNotThrowAnyException();
    assertThatCode(() -> check("c2")).doesNotThrowAnyException();
  }

  @Test
  void newer_tables_are_refused_with_the_version_that_made_them() throws Exception {
    upgrade();
    on("c2", "UPDATE trips_meta.instance SET schema_version = 99, made_by = '7.0.1'");
    for (var attempt : List.<Attempt>of(() -> check("c2"), () -> upgrade("c2"))) {
      assertThatThrownBy(attempt::run)
          .isInstanceOf(SchemaVersionException.class)
          .hasMessageContaining("version 99, made by version 7.0.1 of cellmesh")
          .hasMessageContaining("knows versions up to 2: upgrade the program");
    }
  }

  @Test
  void upgraded_tables_are_those_that_a_new_instance_gets() throws Exception {
    upgrade();
    var upgraded = tables("c1");
    for (var database : databases(topology.cluster("c1"))) {
      on("c1", "DROP DATABASE " + database);
    }
    new InstanceSchema(topology, pools).create(topology.cluster("c1"), made -> {});
    assertThat(upgraded).isEqualTo(tables("c1"));
  }

  @Test
  void an_interrupted_upgrade_goes_on_and_a_finished_one_does_nothing() throws Exception {
    on("c1", "USE trips_meta; " + ConflictTable.CREATE_TABLE);
    assertThat(upgrade("c1")).isEqualTo(1);
    // All is there but the word that it is.
    on("c1", "UPDATE trips_meta.instance SET schema_version = 1");
    assertThat(upgrade("c1")).isEqualTo(1);
    assertThat(upgrade("c1")).isZero();
    check("c1");
  }

  @Test
  void one_upgrade_at_a_time_works_on_a_server() throws Exception {
    try (var other = pools.open(topology.cluster("c1").master());
        var statement = other.createStatement()) {
      statement.execute("SELECT GET_LOCK('cellmesh_upgrade', 0)");
      assertThatThrownBy(() -> upgrade("c1")).hasMessageContaining("is at work");
      statement.execute("DO RELEASE_LOCK('cellmesh_upgrade')");
    }
    assertThatThrownBy(() -> check("c1")).isInstanceOf(SchemaVersionException.class);
  }

  @Test
  void what_the_old_tables_hold_is_read_and_new_cells_join_it_in_order() throws Exception {
    upgrade();
    var reader = new CellReader(topology, pools, false);
    assertThat(reader.row(FIRST)).hasSize(1);
    assertThat(reader.row(OF_THE_MESH).get(0).cell().origin().orElseThrow().id()).isEqualTo(40);

    var at = position("c1");
    var again = reader.row(FIRST).get(0).cell();
    var news = new Cell(new CellKey(FIRST, "BASE", 9), Body.ofJson("9"), Optional.empty());
    var result =
        write(
            "c1",
            at,
            List.of(
                new OffsetCell(5, 0, new Cell(again.key(), again.body(), Optional.empty())),
                new OffsetCell(6, 0, news)),
            7);

    var outcome = ((Result.Applied) result).outcome();
    assertThat(outcome.stored()).isEqualTo(1);
    assertThat(outcome.duplicates()).isEqualTo(1);
    assertThat(reader.row(FIRST)).hasSize(2);
    assertThat(position("c1").of(IngestTopic.CELLS)).isEqualTo(7);
    assertThat(position("c1").of(IngestTopic.MESH)).isEqualTo(3);
  }

  @Test
  void a_copy_that_waited_in_the_old_buffer_comes_to_its_primary() throws Exception {
    upgrade();
    var buffer = new BufferTable(topology);
    List<OffsetCell> cells;
    try (var connection = pools.open(topology.cluster("c1").master())) {
      var held = buffer.held(connection, "c2", IngestTopic.CELLS, 0, 0, 10);
      cells = buffer.cells(connection, List.of(held.get(0).id())).get(held.get(0).id());
    }
    write("c2", position("c2"), cells, 8);
    assertThat(new CellReader(topology, pools, false).row(cells.get(0).cell().key().rowKey()))
        .singleElement()
        .matches(record -> record.cell().key().equals(cells.get(0).cell().key()));
    assertThat(position("c2").of(IngestTopic.CELLS)).isEqualTo(8);
  }

  private interface Attempt {
    void run() throws Exception;
  }

  private static void upgrade() throws SQLException {
    for (var cluster : topology.clusters()) {
      upgrade(cluster.name());
    }
  }

  /** The number of steps that were taken. */
  private static int upgrade(String name) throws SQLException {
    var steps = new ArrayList<InstanceUpgrade.Step>();
    var cluster = topology.cluster(name);
    try (var connection = pools.open(cluster.master())) {
      new InstanceUpgrade(topology).run(connection, cluster, steps::add);
    }
    return steps.size();
  }

  private static void check(String name) throws SQLException {
    var cluster = topology.cluster(name);
    try (var connection = pools.open(cluster.master())) {
      InstanceTable.check(connection, topology, cluster);
    }
  }

  private static Position position(String cluster) throws SQLException {
    try (var connection = pools.open(topology.cluster(cluster).master())) {
      return new PositionTable(topology).read(connection, List.of(0)).get(0);
    }
  }

  private static Result write(String name, Position at, List<OffsetCell> cells, long next)
      throws SQLException {
    var cluster = topology.cluster(name);
    var to = at.with(IngestTopic.CELLS, new Mark(next, 1));
    try (var connection = pools.open(cluster.master())) {
      return new EntityTransaction(topology)
          .run(
              connection,
              cluster,
              List.of(new Write(0, at, to, Map.of(IngestTopic.CELLS, cells))),
              new RecordedRefusals(),
              () -> {});
    }
  }

  private static List<String> tables(String name) throws SQLException {
    var tables = new ArrayList<String>();
    try (var connection = pools.open(topology.cluster(name).master())) {
      for (var table :
          strings(
              connection,
              "SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables"
                  + " WHERE table_schema LIKE 'trips%' ORDER BY 1",
              1)) {
        tables.addAll(strings(connection, "SHOW CREATE TABLE " + table, 2));
      }
    }
    return tables.stream().map(ddl -> ddl.replaceAll(" AUTO_INCREMENT=\\d+", "")).toList();
  }

  private static List<String> strings(Connection connection, String sql, int column)
      throws SQLException {
    var strings = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        strings.add(rows.getString(column));
      }
    }
    return strings;
  }

  private static List<String> databases(StorageCluster cluster) {
    var databases = new ArrayList<String>();
    databases.add(Names.metaDatabase("trips"));
    cluster.shards().stream().forEach(shard -> databases.add(Names.database("trips", shard)));
    return databases;
  }

  private static void on(String cluster, String sql) throws SQLException {
    on(topology.cluster(cluster), sql);
  }

  private static void on(StorageCluster cluster, String sql) throws SQLException {
    try (var connection = pools.open(cluster.master());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** What the old program had on a cluster, as one statement a database. */
  private static List<String> oldStatements(StorageCluster cluster) throws IOException {
    try (var in = InstanceUpgradeIT.class.getResourceAsStream("/tables-of-91b677a.sql")) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      var part = text.split("-- cluster " + cluster.name() + "\n")[1].split("-- cluster ")[0];
      return List.of(part.split("(?=CREATE DATABASE)"));
    }
  }
}
