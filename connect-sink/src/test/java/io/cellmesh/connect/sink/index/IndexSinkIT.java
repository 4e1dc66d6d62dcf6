package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.connect.sink.base.RejectionsForTests;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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

  private static final IndexDefinition SECOND = DEFINITION.withVersion(2);

  @RegisterExtension
  static final SinkMasters masters = new SinkMasters(List.of(DEFINITION, SECOND));

  private final Topology topology = masters.topology();
  private final List<String> rejected = new ArrayList<>();
  private Feed feed;
  private IndexSink sink;

  @BeforeEach
  void open() {
    sink = sink(INDEX);
    feed = new Feed("trips.index.by_driver", topology.shards(), new IndexEntryCodec(DEFINITION));
  }

  @AfterEach
  void close() {
    sink.close();
  }

  @Test
  void aBatchOverEveryShardIsInMySqlWhenPutReturns() throws SQLException {
    var drivers = new ArrayList<String>();
    for (int i = 0; i < 500; i++) {
      drivers.add("driver-" + i);
      feed.append(entry("driver-" + i, 1));
    }
    assertThat(feed.poll(sink, 500)).isFalse();
    assertThat(feed.done()).isTrue();
    for (var driver : drivers) {
      assertThat(found(driver)).hasSize(1);
    }
  }

  @Test
  void thePollOfSeveralIndexesIsOneTransactionOnEachCluster() throws SQLException {
    var codec = new IndexEntryCodec(SECOND);
    try (var both = sink(IndexDefinition.toYaml(List.of(DEFINITION, SECOND)))) {
      var drivers = new ArrayList<String>();
      for (int i = 0; i < 400; i++) {
        drivers.add("both-" + i);
        feed.append(entry("both-" + i, 1));
        feed.append("trips.index.by_driver.v2", codec, entry("both-" + i, 2));
      }
      long first = transactions("c1");
      long second = transactions("c2");
      feed.poll(both, 500);
      assertThat(transactions("c1") - first).isEqualTo(1);
      assertThat(transactions("c2") - second).isEqualTo(1);
      assertThat(feed.done()).isTrue();
      for (var driver : drivers) {
        assertThat(version(driver)).isEqualTo(1);
        assertThat(found(SECOND, driver))
            .singleElement()
            .satisfies(hit -> assertThat(hit.fields()).containsEntry("city", "2"));
      }
    }
  }

  @Test
  void aRecordOfNoIndexIsRejected() {
    feed.append("trips.index.by_driver.v2", new IndexEntryCodec(SECOND), entry("stray", 1));
    feed.poll(sink, 10);
    assertThat(rejected)
        .containsExactly("record: stands in trips.index.by_driver.v2, the topic of no index here");
    assertThat(feed.done()).isTrue();
  }

  @Test
  void aMalformedRecordIsRejectedWithItsReasonAndStopsNothing() throws SQLException {
    var codec = new IndexEntryCodec(DEFINITION);
    var misplaced = entry("misplaced", 1);
    int partition = topology.shards().partitionOf(topology.shards().of("misplaced"));
    feed.append(partition, bytes("key"), bytes("{"));
    feed.append(partition, bytes("key"), null);
    feed.append((partition + 1) % 4, codec.key(misplaced), codec.value(misplaced));
    feed.append(entry("good", 1));
    feed.poll(sink, 10);
    assertThat(rejected)
        .hasSize(3)
        .anyMatch(r -> r.equals("record: not JSON"))
        .anyMatch(r -> r.equals("record: key and value must be bytes; use ByteArrayConverter"))
        .anyMatch(r -> r.startsWith("record: stands in partition "));
    assertThat(found("good")).hasSize(1);
    assertThat(found("misplaced")).isEmpty();
    assertThat(feed.done()).isTrue();
  }

  /** A field can't be too long for the table that we make; somebody has narrowed it. */
  @Test
  void anEntryThatATableCantHoldIsFoundAndRejectedAndTheOthersAreWritten() throws SQLException {
    var narrow = driver("c1", 3);
    var table = "trips_%04d.idx_by_driver_v1".formatted(topology.shards().of(narrow));
    var change = "ALTER TABLE " + table + " MODIFY city VARCHAR(%d) NULL";
    masters.master("c1").execute(change.formatted(4));
    try {
      var drivers = new ArrayList<String>();
      for (int i = 0; i < 100; i++) {
        drivers.add("beside-" + i);
        feed.append(entry("beside-" + i, 1));
      }
      feed.append(entry(narrow, 123_456));
      feed.poll(sink, 500);
      assertThat(rejected)
          .containsExactly(
              "record: the table on c1 can't hold a value of it (error 1406, SQLState 22001)");
      assertThat(feed.done()).isTrue();
      assertThat(found(narrow)).isEmpty();
      for (var driver : drivers) {
        assertThat(found(driver)).hasSize(1);
      }
    } finally {
      masters.master("c1").execute(change.formatted(255));
    }
  }

  @Test
  void whileAMasterIsAwayItsOffsetsAreHeldAndTheOthersAreWrittenAtOnce() throws Exception {
    var here = driver("c1", 0);
    var there = sibling(here);
    feed.append(0, bytes("k"), bytes("{"));
    feed.append(entry(here, 1));
    feed.poll(sink, 10);
    long before = feed.committed(entry(there, 1));
    var master = masters.master("c2");
    master.kill();
    try {
      feed.append(entry(there, 1));
      for (int version = 2; version <= 50; version++) {
        feed.append(entry(here, version));
        assertThat(feed.poll(sink, 10)).isTrue();
        assertThat(version(here)).isEqualTo(version);
      }
      assertThat(feed.committed(entry(there, 1))).isEqualTo(before);
    } finally {
      master.restart();
      master.openMaster();
    }
    awaitDone();
    assertThat(found(there)).hasSize(1);
    assertThat(rejected).hasSize(1);
  }

  @Test
  void aMasterThatHangsHoldsUpTheOthersOnceAndForAMoment() throws Exception {
    var here = driver("c1", 10);
    var there = sibling(here);
    feed.append(entry(here, 1));
    feed.append(entry(there, 1));
    feed.poll(sink, 10);
    var master = masters.master("c2");
    master.pause();
    try {
      feed.append(entry(there, 2));
      feed.append(entry(here, 2));
      var first = timed(() -> feed.poll(sink, 10));
      assertThat(version(here)).isEqualTo(2);
      var others = Duration.ZERO;
      for (int version = 3; version <= 22; version++) {
        feed.append(entry(there, version));
        feed.append(entry(here, version));
        others = others.plus(timed(() -> feed.poll(sink, 10)));
        assertThat(version(here)).isEqualTo(version);
      }
      assertThat(first).isLessThan(Duration.ofSeconds(8));
      // Each of them would wait as long as the first.
      assertThat(others).isLessThan(Duration.ofSeconds(8));
      assertThat(feed.done()).isFalse();
    } finally {
      master.resume();
    }
    awaitDone();
    assertThat(version(there)).isEqualTo(22);
  }

  @Test
  void aServerThatComesAndGoesWhileItIsBroughtForwardLosesNothing() throws Exception {
    var drivers = new ArrayList<String>();
    for (int i = 0; i < 2000; i++) {
      drivers.add("flap-" + i);
    }
    var master = masters.master("c2");
    int next = 0;
    for (int round = 0; round < 4; round++) {
      master.kill();
      for (int i = 0; i < 20; i++) {
        feed.append(entry(drivers.get(next++), 1));
        feed.append(entry(drivers.get(next++), 1));
        feed.poll(sink, 5);
      }
      master.restart();
      master.openMaster();
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !feed.poll(sink, 5) || feed.behind());
    }
    while (next < drivers.size()) {
      feed.append(entry(drivers.get(next++), 1));
    }
    awaitDone();
    for (var driver : drivers) {
      assertThat(found(driver)).hasSize(1);
    }
  }

  @Test
  void whoTakesOverWhileAMasterIsAwayBeginsAtWhatItLacks() throws Exception {
    var here = driver("c1", 20);
    var there = sibling(here);
    var master = masters.master("c2");
    master.kill();
    try {
      feed.append(entry(here, 1));
      feed.append(entry(there, 1));
      feed.append(entry(here, 2));
      feed.poll(sink, 10);
      sink.forget(feed.partitions());
      sink.close();
      sink = sink(INDEX);
      feed.reassign();
      feed.append(entry(here, 3));
      feed.poll(sink, 10);
      assertThat(version(here)).isEqualTo(3);
      assertThat(feed.done()).isFalse();
    } finally {
      master.restart();
      master.openMaster();
    }
    awaitDone();
    assertThat(found(there)).hasSize(1);
  }

  @Test
  void aMasterThatCameBackReadOnlyIsAway() throws Exception {
    var here = driver("c1", 30);
    var there = sibling(here);
    var master = masters.master("c2");
    master.closeForWrites();
    try {
      feed.append(entry(there, 1));
      feed.append(entry(here, 1));
      feed.poll(sink, 10);
      feed.append(entry(here, 2));
      feed.poll(sink, 10);
      assertThat(version(here)).isEqualTo(2);
      assertThat(feed.done()).isFalse();
    } finally {
      master.openMaster();
    }
    awaitDone();
    assertThat(found(there)).hasSize(1);
  }

  @Test
  void withoutItsTablesItDoesNotStart() {
    assertThatThrownBy(() -> sink(INDEX.replace("by_driver", "by_nobody")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("tables of the index by_nobody are missing on c1");
  }

  private void awaitDone() {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              feed.poll(sink, 100);
              return feed.done();
            });
  }

  private IndexSink sink(String index) {
    return masters.sink(index, RejectionsForTests.into(rejected::add));
  }

  /** A driver of a cluster's shards, another one for each number. */
  private String driver(String cluster, int number) {
    int i = 1000 * number;
    while (!topology.clusterOf(topology.shards().of("d" + i)).name().equals(cluster)) {
      i++;
    }
    return "d" + i;
  }

  /** A driver in the same partition and another cluster. */
  private String sibling(String driver) {
    var shards = topology.shards();
    int shard = shards.of(driver);
    int i = 0;
    while (shards.partitionOf(shards.of(driver + '-' + i)) != shards.partitionOf(shard)
        || topology.clusterOf(shards.of(driver + '-' + i)).equals(topology.clusterOf(shard))) {
      i++;
    }
    return driver + '-' + i;
  }

  private static Duration timed(Runnable work) {
    long begin = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private List<IndexHit> found(String driver) throws SQLException {
    return found(DEFINITION, driver);
  }

  private List<IndexHit> found(IndexDefinition index, String driver) throws SQLException {
    return new IndexReader(index, topology, masters.pools(), false).query(IndexQuery.of(driver));
  }

  /** The number of the last one that a master has committed. */
  private static long transactions(String cluster) {
    var last = "SELECT SUBSTRING_INDEX(@@GLOBAL.gtid_executed, '-', -1)";
    return Long.parseLong(masters.master(cluster).query(last));
  }

  /** The version of a driver's entry, which stands in its field, too. */
  private int version(String driver) throws SQLException {
    return Integer.parseInt(found(driver).get(0).fields().get("city"));
  }

  private static IndexEntry entry(String driver, long version) {
    return new IndexEntry(
        UUID.nameUUIDFromBytes(bytes(driver)),
        List.of(version),
        List.of(driver, Long.toString(version)),
        false);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
