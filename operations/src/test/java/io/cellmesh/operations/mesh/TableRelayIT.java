package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cells of dc2 that stand in real tables of dc1 and dc3 alone: of each shard the mesh topic of dc1
 * has the last cell, and what was before has expired. Each data centre is an instance on one broker
 * and one server.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TableRelayIT {
  private static final Credentials ROOT = new Credentials("root", "");
  private static final int SHARDS = 4;
  private static final long KEPT = 3;
  private static final long LAST = 1_200;

  /** One that dc1 has refused, and dc3 stored. */
  private static final long REFUSED = 700;

  @TempDir private static Path dir;

  private static DevStack stack;
  private static Pools pools;
  private static DataCenter dc1;
  private static DataCenter dc2;
  private static DataCenter dc3;
  private static final Map<Integer, List<Cell>> WRITTEN = new TreeMap<>();

  @BeforeAll
  static void start() throws Exception {
    stack = BareDataCenter.servers(dir, new Shards(SHARDS, 2), 1);
    pools = new Pools(ROOT);
    dc1 = datacenter("dc1");
    dc2 = datacenter("dc2");
    dc3 = datacenter("dc3");
    for (int shard = 0; shard < SHARDS; shard++) {
      var cells = cells(shard);
      WRITTEN.put(shard, cells);
      insert(dc2, shard, cells.stream().filter(cell -> id(cell) <= KEPT).toList());
      // The last one of shard 3 was stored by nobody but dc2.
      var stored = cells.stream().filter(cell -> shard(cell) != 3 || id(cell) < LAST).toList();
      insert(dc1, shard, stored.stream().filter(cell -> id(cell) != REFUSED).toList());
      insert(dc3, shard, stored.stream().filter(cell -> id(cell) <= REFUSED).toList());
    }
    expireAllButTheLastOnes();
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @Test
  @Order(1)
  void what_a_data_centre_has_lost_comes_home_once_in_its_order_with_its_ids() throws Exception {
    var relay = Setback.of(dc2, List.of(dc1, dc3)).relay();
    assertThat(relay.inTablesAlone())
        .containsExactly(
            "dc2 lacks cells of dc2 in 4 shards, of which no topic has all any more: they are read from entity tables");
    assertThatThrownBy(() -> relay.run(0, new Killed(2))).hasMessage("killed after 2 of 4");

    var again = Setback.of(dc2, List.of(dc1, dc3)).relay().run(0, new Killed(Long.MAX_VALUE));
    assertThat(again.cells()).isEqualTo(SHARDS * (LAST - KEPT) - 1);
    assertThat(again.brought())
        .extracting(RelayPlan.Gap::last)
        .containsExactlyInAnyOrder(LAST, LAST, LAST, LAST - 1);
    assertThat(again.absence("dc2"))
        .containsExactly(
            "dc2 lacks cells of dc2 in shard 3, behind origin_id %d and up to %d: neither topics nor tables have them any more"
                .formatted(LAST - 1, LAST));
    var came = new TreeMap<Integer, LinkedHashSet<String>>();
    for (var record : mesh(dc2)) {
      assertThat(record.headers().lastHeader(Envelope.RESTORED_HEADER)).isNotNull();
      var cell = cell(record);
      came.computeIfAbsent(shard(cell), shard -> new LinkedHashSet<>()).add(envelope(cell));
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      long last = shard == 3 ? LAST - 1 : LAST;
      assertThat(List.copyOf(came.get(shard)))
          .as("shard %d, what one refused among them", shard)
          .isEqualTo(
              WRITTEN.get(shard).stream()
                  .filter(cell -> id(cell) > KEPT && id(cell) <= last)
                  .map(TableRelayIT::envelope)
                  .toList());
    }
  }

  @Test
  @Order(2)
  void tables_are_read_no_faster_than_they_may() throws Exception {
    var gap = new RelayPlan.Gap(0, "dc2", "dc1", null, -1, LAST - 200, LAST);
    try (var relay = new TableRelay("dc2", 100)) {
      relay.open(List.of(dc1));
      long begun = System.nanoTime();
      relay.fill(0, List.of(gap), (to, cell) -> {});
      assertThat(System.nanoTime() - begun).isGreaterThan(1_900_000_000L);
    }
  }

  @Test
  @Order(3)
  void what_only_tables_have_of_a_removed_data_centre_comes_to_one_that_joins() throws Exception {
    var removed = new RemovedCells(dc3, List.of(dc1));
    assertThat(removed.origins()).isEmpty();
    new LinkHolds(dc1).hold("dc2", Kind.LOST, "anna");
    new LinkHolds(dc1).hold("dc3", Kind.LOST, "anna");
    assertThat(removed.origins()).as("those that no deployment names").containsExactly("dc2");

    var step = new Killed(Long.MAX_VALUE);
    assertThat(removed.bring("dc2", 0, step)).singleElement().asString().contains("in shard 3");
    var came = new TreeMap<Integer, List<Long>>();
    for (var record : mesh(dc3)) {
      assertThat(record.headers().lastHeader(Envelope.RESTORED_HEADER)).isNull();
      var cell = cell(record);
      came.computeIfAbsent(shard(cell), shard -> new ArrayList<>()).add(id(cell));
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(came.get(shard))
          .as("shard %d", shard)
          .isEqualTo(LongStream.rangeClosed(1, shard == 3 ? LAST - 1 : LAST).boxed().toList());
    }
    int before = mesh(dc3).size();
    removed.bring("dc2", 0, step);
    assertThat(mesh(dc3)).as("said again it brings nothing").hasSize(before);
    assertThat(step.result).isEqualTo("dc3 has all cells of dc2, which was removed");
  }

  @Test
  @Order(4)
  void tables_that_do_not_answer_are_named_with_the_next_step() throws Exception {
    var away = dc1.with(topology("dc1", 1));
    try (var relay = new TableRelay("dc2", 0)) {
      assertThatThrownBy(() -> relay.open(List.of(away)))
          .isInstanceOf(OperationException.class)
          .hasMessageContaining("127.0.0.1:1, the master of c1, does not answer");
    }
  }

  /** The cells that dc2 has written into a shard; their ids rise by one. */
  private static List<Cell> cells(int shard) throws Exception {
    var cells = new ArrayList<Cell>();
    for (long id = 1; id <= LAST; id++) {
      var key = new CellKey(row(shard), "BASE", id);
      cells.add(new Cell(key, Body.ofJson("{\"fare\":12.50}"), Optional.of(new Origin("dc2", id))));
    }
    return cells;
  }

  private static UUID row(int shard) {
    var row = UUID.randomUUID();
    while (shards().of(row) != shard) {
      row = UUID.randomUUID();
    }
    return row;
  }

  private static void insert(DataCenter dc, int shard, List<Cell> cells) throws SQLException {
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, 'BASE', ?, ?, 'dc2', ?, UTC_TIMESTAMP(6))"
            .formatted(Names.database(dc.topology().instance(), shard));
    boolean own = dc.name().equals("dc2");
    try (var connection = pools.open(dc.topology().clusterOf(shard).master());
        var insert = connection.prepareStatement(sql)) {
      connection.setAutoCommit(false);
      for (var cell : cells) {
        insert.setBytes(1, UuidBytes.of(cell.key().rowKey()));
        insert.setLong(2, cell.key().refKey());
        insert.setBytes(3, cell.body().stored());
        insert.setObject(4, own ? null : id(cell));
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** Two records of each shard come, of which the first expires. */
  private static void expireAllButTheLastOnes() throws Exception {
    try (var producer =
            new KafkaProducer<>(
                dc1.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer());
        var admin = stack.broker("dc1").admin()) {
      var mesh = dc1.topology().topics().mesh();
      var log = dc1.topology().topics().log();
      for (long id : new long[] {1, LAST}) {
        for (var cells : WRITTEN.values()) {
          var cell = cells.get((int) id - 1);
          producer
              .send(
                  new ProducerRecord<>(
                      mesh,
                      shards().partitionOf(shard(cell)),
                      Envelope.key(cell.key()),
                      Envelope.write(cell)))
              .get();
        }
      }
      var deletions = new HashMap<TopicPartition, RecordsToDelete>();
      for (int partition = 0; partition < 2; partition++) {
        producer.send(new ProducerRecord<>(log, partition, null, new byte[1])).get();
        deletions.put(new TopicPartition(mesh, partition), RecordsToDelete.beforeOffset(2));
        deletions.put(new TopicPartition(log, partition), RecordsToDelete.beforeOffset(1));
      }
      admin.deleteRecords(deletions).all().get();
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> mesh(DataCenter dc) {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    try (var client = Consumers.open(dc.kafka())) {
      var offsets = TopicOffsets.of(client, dc.topology().topics().mesh());
      new PartitionReader(client).read(offsets, records::add);
    }
    return records;
  }

  private static Cell cell(ConsumerRecord<byte[], byte[]> record) throws Exception {
    try (var envelopes = EnvelopeReader.lenient()) {
      return envelopes.readMeshCell(record.key(), record.value());
    }
  }

  private static String envelope(Cell cell) {
    return new String(Envelope.write(cell), StandardCharsets.UTF_8);
  }

  private static int shard(Cell cell) {
    return shards().of(cell.key().rowKey());
  }

  private static long id(Cell cell) {
    return cell.origin().orElseThrow().id();
  }

  private static Shards shards() {
    return new Shards(SHARDS, 2);
  }

  private static DataCenter datacenter(String name) throws Exception {
    var topology = topology(name, stack.cluster("dc1", "c1").master().port());
    return BareDataCenter.withTables(topology, stack.broker("dc1"), pools);
  }

  private static Topology topology(String name, int port) {
    return TopologyYaml.parse(
        """
        instance: trips_%1$s
        shards: 4
        partitions: 2
        datacenter: %1$s
        clusters:
          - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://127.0.0.1:%2$d"}}
        """
            .formatted(name, port));
  }

  /** A step that is killed. */
  private static final class Killed implements Step {
    private final long at;
    private String result;

    Killed(long at) {
      this.at = at;
    }

    @Override
    public void detail(String text) {
      // Nobody follows.
    }

    @Override
    public void progress(long done, long total) {
      if (done == at) {
        throw new IllegalStateException("killed after %d of %d".formatted(done, total));
      }
    }

    @Override
    public void result(String text) {
      result = text;
    }
  }
}
