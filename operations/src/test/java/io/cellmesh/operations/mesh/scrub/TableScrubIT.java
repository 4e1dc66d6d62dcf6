package io.cellmesh.operations.mesh.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellDigest;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Difference.Kind;
import io.cellmesh.cell.proof.FoldPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.cell.proof.PartitionFold;
import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.storage.Pools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Real tables and checkpoints of two partitions, on one broker and one server; nobody folds. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("full")
class TableScrubIT {
  private static final Credentials ROOT = new Credentials("root", "");
  private static final Shards SHARDS = new Shards(4, 2);
  private static final long LAST = 30;

  @TempDir private static Path dir;

  private static DevStack stack;
  private static Pools pools;
  private static DataCenter dc;
  private static TableScrub scrub;

  @BeforeAll
  static void start() throws Exception {
    stack = BareDataCenter.servers(dir, SHARDS, 1);
    pools = new Pools(ROOT);
    dc = BareDataCenter.withTables(topology(), stack.broker("dc1"), pools);
    write();
    scrub = new TableScrub(dc::topology, dc, 1_000);
    scrub.start();
  }

  @AfterAll
  static void stop() {
    scrub.close();
    pools.close();
    stack.close();
  }

  @Test
  @Order(1)
  void tables_that_are_as_the_log_are_read_and_told_so_in_each_partition() throws Exception {
    var verdicts = awaitVerdicts(Map.of());
    assertThat(verdicts.values())
        .allSatisfy(verdict -> assertThat(verdict.found()).isZero())
        .allSatisfy(verdict -> assertThat(verdict.rows()).isEqualTo(2 * LAST));
    assertThat(scrub.figures().isRunning()).isTrue();
    assertThat(scrub.figures().rows()).isGreaterThanOrEqualTo(4 * LAST);
  }

  @Test
  @Order(2)
  void what_differs_is_named_beside_a_row_that_can_not_be_read() throws Exception {
    var before = verdicts();
    execute(0, "DELETE FROM %s.entity WHERE origin_id = " + LAST);
    execute(
        1,
        "SET SESSION sql_mode = ''",
        "UPDATE %s.entity SET created_at = '0000-00-00 00:00:00' WHERE origin_id = 7");
    var verdicts = awaitVerdicts(verdicts());
    assertThat(verdicts.get(0).servers())
        .flatExtracting(TableVerdict.OfServer::differences)
        .containsExactly(
            new Difference(
                Kind.MISSING, FoldSource.TABLE, new OriginShard("dc1", 1, 0), LAST, LAST, 1));
    assertThat(verdicts.get(1).servers())
        .singleElement()
        .satisfies(
            server -> {
              assertThat(server.unread()).contains("Zero date");
              assertThat(server.before().orElseThrow())
                  .as("when it was read last")
                  .isGreaterThanOrEqualTo(before.get(1).at())
                  .isLessThan(verdicts.get(1).at());
            });
  }

  @Test
  @Order(3)
  void of_a_master_that_takes_no_writes_any_more_nothing_is_expected() throws Exception {
    var before = verdicts();
    execute(1, "SET GLOBAL read_only = 1");
    try {
      var verdicts = awaitVerdicts(before);
      assertThat(verdicts.get(0).found()).isZero();
      assertThat(verdicts.get(1).servers().get(0).before())
          .as("of one that was not read before either")
          .isEqualTo(before.get(1).servers().get(0).before());
    } finally {
      execute(1, "SET GLOBAL read_only = 0");
    }
  }

  /** Waits for a look at each partition that ends later than those before. */
  private static Map<Integer, TableVerdict> awaitVerdicts(Map<Integer, TableVerdict> before)
      throws InterruptedException {
    assertThat(
            Waiting.within(
                Duration.ofSeconds(90),
                Duration.ofMillis(500),
                () ->
                    verdicts().values().stream()
                            .filter(found -> !found.equals(before.get(found.partition())))
                            .count()
                        == SHARDS.partitions()))
        .isTrue();
    return verdicts();
  }

  private static Map<Integer, TableVerdict> verdicts() {
    var verdicts = new TreeMap<Integer, TableVerdict>();
    try (var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      checkpoints.readToEnd(
          (key, value) ->
              TableVerdict.read(new String(key, StandardCharsets.UTF_8), value)
                  .ifPresent(verdict -> verdicts.put(verdict.partition(), verdict)));
    }
    return verdicts;
  }

  private static void write() throws Exception {
    try (var digests = new CellDigest();
        var producer =
            new KafkaProducer<>(
                dc.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int partition = 0; partition < SHARDS.partitions(); partition++) {
        var fold = new PartitionFold(FoldSource.LOG, true);
        for (int shard = partition; shard < SHARDS.count(); shard += SHARDS.partitions()) {
          write(shard, fold, digests);
        }
        var records = new TreeMap<String, byte[]>();
        fold.takeChanged()
            .forEach((key, bucket) -> records.put(key.text(), BucketCodec.write(bucket)));
        var place = new FoldPlace(FoldSource.LOG, partition, "id", 60, 60, true, 0, 0, 0, 0);
        records.put(place.key(), place.value());
        for (var record : records.entrySet()) {
          var key = record.getKey().getBytes(StandardCharsets.UTF_8);
          var topic = dc.topology().topics().checkpoint();
          producer.send(new ProducerRecord<>(topic, partition, key, record.getValue())).get();
        }
      }
    }
  }

  private static void write(int shard, PartitionFold fold, CellDigest digests) throws Exception {
    var row = UUID.randomUUID();
    while (SHARDS.of(row) != shard) {
      row = UUID.randomUUID();
    }
    var body = Body.ofJson("{\"fare\":12.50}");
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, 'BASE', ?, ?, 'dc1', ?, UTC_TIMESTAMP(6))"
            .formatted(Names.database(dc.topology().instance(), shard));
    try (var connection = pools.open(dc.topology().clusterOf(shard).master())) {
      for (long id = 1; id <= LAST; id++) {
        var origin = new Origin("dc1", id);
        var cell = new Cell(new CellKey(row, "BASE", id), body, Optional.of(origin));
        fold.fold(origin, shard, digests.of(cell), id, 0);
        try (var insert = connection.prepareStatement(sql)) {
          insert.setBytes(1, UuidBytes.of(row));
          insert.setLong(2, id);
          insert.setBytes(3, body.stored());
          insert.setLong(4, id);
          insert.execute();
        }
      }
    }
  }

  private static void execute(int shard, String... all) throws SQLException {
    try (var connection = pools.open(dc.topology().clusterOf(shard).master());
        var statement = connection.createStatement()) {
      for (var sql : all) {
        statement.execute(sql.formatted(Names.database(dc.topology().instance(), shard)));
      }
    }
  }

  private static Topology topology() {
    return TopologyYaml.parse(
        """
        instance: trips_dc2
        shards: 4
        partitions: 2
        datacenter: dc2
        clusters:
          - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://127.0.0.1:%d"}}
        """
            .formatted(stack.cluster("dc1", "c1").master().port()));
  }
}
