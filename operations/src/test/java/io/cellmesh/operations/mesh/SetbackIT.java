package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.storage.AddedIds;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real tables of dc2 that lack what real topics of dc1 have of it. */
class SetbackIT {
  private static final Credentials ROOT = new Credentials("root", "");

  /** A machine that builds is busy. */
  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5),
          4);

  private static final int CELLS = 60;
  private static final int LOST = 3;

  @TempDir private static Path dir;

  private static DevStack stack;
  private static Pools pools;
  private static DataCenter dc1;
  private static DataCenter dc2;
  private static Shards shards;

  /** The cells of dc2, with the ids that they had in the beginning. */
  private static final List<Cell> WRITTEN = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    stack = BareDataCenter.servers(dir, new Shards(4, 2), 2);
    pools = new Pools(ROOT, PATIENT);
    dc1 = BareDataCenter.withTopics(stack.topology("dc1"), stack.broker("dc1"));
    dc2 = BareDataCenter.withTables(stack.topology("dc2"), stack.broker("dc2"), pools);
    shards = dc2.topology().shards();
    for (int n = 0; n < CELLS; n++) {
      var key = new CellKey(new UUID(7, n), "BASE", 1);
      var cell = new Cell(key, Body.ofJson("{\"fare\":12.50}"), Optional.empty());
      WRITTEN.add(with(cell, insert(cell)));
    }
    send(WRITTEN);
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @Test
  void what_others_have_and_the_tables_lack_is_told_refused_and_brought_back_with_its_ids()
      throws Exception {
    assertThat(Setback.of(dc2, List.of(dc1)).isNone()).isTrue();
    assertThat(lack(List.of(dc1))).isEmpty();
    int shard = shards.of(WRITTEN.get(0).key().rowKey());
    var ofShard = WRITTEN.stream().filter(cell -> shards.of(cell.key().rowKey()) == shard).toList();
    var lost = ofShard.subList(ofShard.size() - LOST, ofShard.size());
    long left = id(ofShard.get(ofShard.size() - LOST - 1));
    execute(shard, "DELETE FROM %s.entity WHERE added_id > " + left);

    var setback = Setback.of(dc2, List.of(dc1));
    assertThat(setback.text())
        .isEqualTo(
            "dc2 went back in time: of its own cells its tables have %d of the %d that dc1 has, and lack some in 1 shard, such as those behind origin_id %d in shard %d"
                .formatted(CELLS - LOST, CELLS, left, shard));
    assertThat(Setback.among(List.of(dc1, dc2), List.of(dc1, dc2), unknown -> {}))
        .singleElement()
        .asString()
        .endsWith("`cellmesh dc back dc2` brings them back");
    var gone = BareDataCenter.of("dc9", dc1.topology(), "127.0.0.1:1");
    var unheard = new ArrayList<String>();
    assertThat(lack(List.of(gone, dc1), unheard))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("lacks cells of dc2 that dc1 has, in 1 shard")
                    .contains("`cellmesh dc back dc2`"));
    assertThat(unheard).singleElement().asString().startsWith("dc9 was not heard");

    setback.relay().run(0, new Unheard());
    assertThat(broughtHome()).isEqualTo(lost.stream().map(SetbackIT::envelope).toList());
    int epoch = AddedIds.epochBeyond(setback.known(shard));
    try (var connection = pools.open(master())) {
      new AddedIds(dc2.topology()).jump(connection, shard, epoch);
      assertThat(
              new AddedIds(dc2.topology())
                  .next(connection, dc2.topology().clusters().get(0).shards())
                  .get(shard))
          .isGreaterThan(setback.known(shard));
    }

    // What comes from the buffers has a new id; what comes home has the old one.
    insert(lost.get(LOST - 1), Optional.empty());
    assertThat(Setback.of(dc2, List.of(dc1)).isNone()).as("the last alone").isFalse();
    for (var cell : lost.subList(0, LOST - 1)) {
      insert(cell, Optional.empty());
    }
    assertThat(Setback.of(dc2, List.of(dc1)).isNone()).as("under other ids").isTrue();
    assertThat(lack(List.of(dc1))).isEmpty();
    execute(shard, "DELETE FROM %s.entity WHERE added_id > " + left);
    for (var cell : lost) {
      insert(cell, cell.origin());
    }
    var back = Setback.of(dc2, List.of(dc1));
    assertThat(back.isNone()).isTrue();
    assertThat(back.has(shard)).isEqualTo(id(lost.get(LOST - 1)));
  }

  private static Optional<String> lack(List<DataCenter> others) throws Exception {
    return lack(others, new ArrayList<>());
  }

  private static Optional<String> lack(List<DataCenter> others, List<String> unheard)
      throws Exception {
    var topology = dc2.topology();
    return new MeshKnows(others)
        .lack(topology, topology.clusters().get(0), master(), pools, unheard::add);
  }

  /** What the mesh topic of dc2 has; all of it says that it was restored. */
  private static List<String> broughtHome() {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    try (var client = Consumers.open(dc2.kafka())) {
      var offsets = TopicOffsets.of(client, "trips.mesh");
      new PartitionReader(client).read(offsets, records::add);
    }
    assertThat(records)
        .allMatch(record -> record.headers().lastHeader(Envelope.RESTORED_HEADER) != null);
    return records.stream()
        .map(record -> new String(record.value(), StandardCharsets.UTF_8))
        .toList();
  }

  private static String envelope(Cell cell) {
    return new String(Envelope.write(cell), StandardCharsets.UTF_8);
  }

  private static void send(List<Cell> cells) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            dc1.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var cell : cells) {
        int partition = shards.partitionOf(shards.of(cell.key().rowKey()));
        producer
            .send(
                new ProducerRecord<>(
                    "trips.mesh", partition, Envelope.key(cell.key()), Envelope.write(cell)))
            .get();
      }
    }
  }

  private static Cell with(Cell cell, long id) {
    return new Cell(cell.key(), cell.body(), Optional.of(new Origin("dc2", id)));
  }

  private static long id(Cell cell) {
    return cell.origin().orElseThrow().id();
  }

  private static long insert(Cell cell) throws SQLException {
    return insert(cell, Optional.empty());
  }

  /** Returns its added_id. */
  private static long insert(Cell cell, Optional<Origin> origin) throws SQLException {
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, 'BASE', 1, ?, 'dc2', ?, UTC_TIMESTAMP(6))"
            .formatted(Names.database("trips", shards.of(cell.key().rowKey())));
    try (var connection = pools.open(master());
        var insert = connection.prepareStatement(sql, new String[] {"added_id"})) {
      insert.setBytes(1, UuidBytes.of(cell.key().rowKey()));
      insert.setBytes(2, cell.body().stored());
      insert.setObject(3, origin.map(Origin::id).orElse(null));
      insert.executeUpdate();
      try (var id = insert.getGeneratedKeys()) {
        id.next();
        return id.getLong(1);
      }
    }
  }

  private static void execute(int shard, String sql) throws SQLException {
    try (var connection = pools.open(master());
        var statement = connection.createStatement()) {
      statement.execute(sql.formatted(Names.database("trips", shard)));
    }
  }

  private static Server master() {
    return dc2.topology().clusters().get(0).master();
  }

  /** A step that nobody follows. */
  private static final class Unheard implements OperationListener.Step {
    @Override
    public void detail(String text) {
      // Nobody follows.
    }

    @Override
    public void progress(long done, long total) {
      assertThat(done).isBetween(0L, total);
    }

    @Override
    public void result(String text) {
      // Nobody follows.
    }
  }
}
