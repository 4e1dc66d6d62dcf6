package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.Credentials;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.storage.index.IndexSchema;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The core of the index sink on two real masters. */
class IndexSinkIT {
  private static final String INDEX =
      """
      table: by_driver
      datastore: trips
      column_defs:
        - column_key: BASE
          fields:
            - {field: driver, type: string}
            - {field: city, type: string}
      """;
  private static final IndexDefinition DEFINITION = IndexDefinition.parse(INDEX);

  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static Pools pools;

  private final IndexEntryCodec codec = new IndexEntryCodec(DEFINITION);
  private final List<String> rejected = new ArrayList<>();
  private IndexSink sink;
  private long offset;

  @BeforeAll
  static void start() throws SQLException, InterruptedException {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withInstance("trips", 8, 4)
                .withDatacenters(1)
                .withMinions(0)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    pools = new Pools(new Credentials("root", ""));
    for (var cluster : topology.clusters()) {
      var master = stack.cluster("dc1", cluster.name()).master();
      for (int shard : cluster.shards().stream().toArray()) {
        master.execute("CREATE DATABASE " + Names.database("trips", shard));
      }
    }
    new IndexSchema(topology, DEFINITION, pools).create(made -> {});
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @BeforeEach
  void open() {
    sink = sink(INDEX);
  }

  @AfterEach
  void close() {
    sink.close();
  }

  @Test
  void aBatchOverEveryShardIsInMySqlWhenPutReturns() throws SQLException {
    var drivers = new ArrayList<String>();
    var records = new ArrayList<SinkRecord>();
    for (int i = 0; i < 500; i++) {
      drivers.add("driver-" + i);
      records.add(record(entry("driver-" + i, 1)));
    }
    sink.put(records);
    for (var driver : drivers) {
      assertThat(found(driver)).hasSize(1);
    }
  }

  @Test
  void aMalformedRecordIsRejectedWithItsReasonAndStopsNothing() throws SQLException {
    var good = record(entry("good", 1));
    var other = record(entry("misplaced", 1));
    sink.put(
        List.of(
            record(other.kafkaPartition(), bytes("key"), bytes("{")),
            record(other.kafkaPartition(), bytes("key"), null),
            record((other.kafkaPartition() + 1) % 4, (byte[]) other.key(), (byte[]) other.value()),
            good));
    assertThat(rejected)
        .hasSize(3)
        .anyMatch(r -> r.equals("record: not JSON"))
        .anyMatch(r -> r.equals("record: key and value must be bytes; use ByteArrayConverter"))
        .anyMatch(r -> r.startsWith("record: stands in partition "));
    assertThat(found("good")).hasSize(1);
    assertThat(found("misplaced")).isEmpty();
  }

  @Test
  void whileAMasterIsAwayTheOthersAreWrittenAndNothingIsLostOrRejectedTwice() throws Exception {
    var here = driverOf("c1");
    var there = driverOf("c2");
    var records =
        List.of(record(entry(here, 1)), record(entry(there, 1)), record(0, bytes("k"), bytes("{")));
    var master = stack.cluster("dc1", "c2").master();
    master.kill();
    try {
      assertThatThrownBy(() -> sink.put(records))
          .isInstanceOf(RetriableException.class)
          .hasMessageContaining("the master of c2 is away");
      assertThat(found(here)).hasSize(1);
      assertThat(rejected).isEmpty();
    } finally {
      master.restart();
      master.openMaster();
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreException(RetriableException.class)
        .until(
            () -> {
              sink.put(records);
              return true;
            });
    assertThat(found(there)).hasSize(1);
    assertThat(rejected).hasSize(1);
  }

  @Test
  void withoutItsTablesItDoesNotStart() {
    assertThatThrownBy(() -> sink(INDEX.replace("by_driver", "by_nobody")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("tables of the index by_nobody are missing on c1");
  }

  private IndexSink sink(String index) {
    var settings =
        Map.of("topology", TopologyYaml.write(topology), "index", index, "mysql.user", "root");
    return IndexSink.start(
        new IndexSinkConfig(settings),
        (record, error) -> {
          rejected.add(error.getMessage());
          return CompletableFuture.completedFuture(null);
        });
  }

  private static String driverOf(String cluster) {
    int i = 0;
    while (!topology.clusterOf(topology.shards().of("d" + i)).name().equals(cluster)) {
      i++;
    }
    return "d" + i;
  }

  private static List<IndexHit> found(String driver) throws SQLException {
    return new IndexReader(DEFINITION, topology, pools, false).query(IndexQuery.of(driver));
  }

  private static IndexEntry entry(String driver, long version) {
    return new IndexEntry(
        UUID.nameUUIDFromBytes(bytes(driver)), List.of(version), List.of(driver, "city"), false);
  }

  private SinkRecord record(IndexEntry entry) {
    var shards = topology.shards();
    return record(
        shards.partitionOf(shards.of(entry.shardValue())), codec.key(entry), codec.value(entry));
  }

  private SinkRecord record(int partition, byte[] key, byte[] value) {
    return new SinkRecord("trips.index.by_driver", partition, null, key, null, value, offset++);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
