package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import io.cellmesh.storage.Pools;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells of dc2 on their way into real tables of dc1, which nobody but the test moves on. */
@Tag("full")
class TableDiffIT {
  private static final int CELLS = 4;

  @TempDir private static Path dir;

  private static DevStack stack;
  private static Pools pools;
  private static DataCenter dc1;
  private static DataCenter dc2;

  /** All of one shard; their ids are their offsets in the log, and in the mesh topic, and 1. */
  private static final List<Cell> CELLS_OF_DC2 = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    stack = BareDataCenter.servers(dir, new Shards(1, 1), 2);
    pools = new Pools(new Credentials("root", ""));
    dc1 = BareDataCenter.withTables(stack.topology("dc1"), stack.broker("dc1"), pools);
    dc2 = BareDataCenter.withTopics(stack.topology("dc2"), stack.broker("dc2"));
    for (long id = 1; id <= CELLS; id++) {
      var key = new CellKey(new UUID(7, id), "BASE", 1);
      var cell = new Cell(key, Body.ofJson("1"), Optional.of(new Origin("dc2", id)));
      CELLS_OF_DC2.add(cell);
      send(dc2, "trips.log", key, Envelope.write(new LogRecord(cell, 0, id, Instant.EPOCH)));
    }
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @Test
  void a_cell_is_on_its_way_until_the_position_has_passed_it_and_missing_then() throws Exception {
    assertThat(kinds()).as("the link has read nothing").containsOnly(Kind.ON_ITS_WAY).hasSize(4);

    for (var cell : CELLS_OF_DC2.subList(0, 3)) {
      send(dc1, "trips.mesh", cell.key(), Envelope.write(cell));
    }
    placeOfLink(3);
    assertThat(kinds()).as("the sink has taken nothing").containsOnly(Kind.ON_ITS_WAY).hasSize(4);

    position(1);
    assertThat(kinds())
        .as("one should be there")
        .containsExactly(Kind.MISSING, Kind.ON_ITS_WAY, Kind.ON_ITS_WAY, Kind.ON_ITS_WAY);

    insert(CELLS_OF_DC2.get(2));
    assertThat(kinds())
        .as("rows are in the origin's order")
        .containsExactly(Kind.MISSING, Kind.MISSING, Kind.ON_ITS_WAY);

    placeOfLink(4);
    position(3);
    assertThat(kinds())
        .as("the last one was lost in the mesh")
        .containsExactly(Kind.MISSING, Kind.MISSING, Kind.MISSING);
  }

  private static List<Kind> kinds() throws Exception {
    return new CellComparison(dc2, dc1, FoldSource.TABLE)
        .of(List.of(new IdRange(0, 0, Long.MAX_VALUE))).stream().map(CellDifference::kind).toList();
  }

  private static void placeOfLink(long next) throws Exception {
    var log = LinkPlace.of(dc1, dc2).found();
    new MeshPlaceTopic(dc1)
        .write(
            Map.of(
                "dc2", log.toJson(), MeshPlace.key("dc2", 0), new MeshPlace(log, next).toJson()));
  }

  private static void position(long next) throws SQLException {
    execute(
        "INSERT INTO trips_meta.position (partition_no, mesh_next) VALUES (0, %1$d) ON DUPLICATE KEY UPDATE mesh_next = %1$d"
            .formatted(next));
  }

  private static void insert(Cell cell) throws SQLException {
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, 'BASE', 1, ?, 'dc2', ?, UTC_TIMESTAMP(6))"
            .formatted(Names.database("trips", 0));
    try (var connection = pools.open(dc1.topology().clusterOf(0).master());
        var insert = connection.prepareStatement(sql)) {
      insert.setBytes(1, UuidBytes.of(cell.key().rowKey()));
      insert.setBytes(2, cell.body().stored());
      insert.setLong(3, cell.origin().orElseThrow().id());
      insert.executeUpdate();
    }
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = pools.open(dc1.topology().clusterOf(0).master());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void send(DataCenter dc, String topic, CellKey key, byte[] value)
      throws Exception {
    try (var producer =
        new KafkaProducer<>(
            dc.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, 0, Envelope.key(key), value)).get();
    }
  }
}
