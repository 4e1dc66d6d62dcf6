package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.SeedMark;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.SeedTopic;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.operations.mesh.TableSource;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.LogShape;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seed of real tables on a real broker. */
@Tag("full")
class SeedWriterIT {
  private static final Credentials ROOT = new Credentials("root", "");
  private static final Set<Integer> PARTITIONS = Set.of(0, 1);
  private static final int CELLS = 120;

  @TempDir private Path dir;

  private DevStack stack;
  private DataCenter dc1;
  private Pools pools;
  private RememberedLog log;
  private final Map<Integer, List<Long>> own = new TreeMap<>();

  @Test
  void a_seed_has_the_own_cells_in_their_order_once_however_its_writers_end() throws Exception {
    var options =
        Options.defaults()
            .withStateDir(dir)
            .withInstance("trips", 8, 2)
            .withDatacenters(1)
            .withClusters(1)
            .withWorkers(0);
    try (var started = DevStack.start(options, Progress.silent());
        var opened = new Pools(ROOT)) {
      stack = started;
      pools = opened;
      create();
      insert();
      send(5);
      var ends = Map.of(0, new MeshPlace(log, 5), 1, new MeshPlace(log, 5));
      var source = TableSource.open(dc1.topology(), pools);

      try (var killed = new SeedProducer(dc1, "dc3")) {
        killed.commit(() -> killed.mark(ends, false));
        killed.commit(() -> source.read(0, 0, 3, killed::cell));
        assertThatThrownBy(
                () ->
                    killed.commit(
                        () -> {
                          source.read(0, own.get(0).get(2), 4, killed::cell);
                          throw new SQLException("the master is gone");
                        }))
            .isInstanceOf(SQLException.class);
        send(5);

        assertThat(write()).as("three were there").isEqualTo(CELLS - 3);
        assertThatThrownBy(() -> killed.commit(() -> killed.mark(ends, true)))
            .isInstanceOf(OperationException.class)
            .hasMessageContaining("another `cellmesh dc add` writes trips.seed.dc3");
      }
      assertSeed(5);
      assertThat(write()).as("it is complete").isZero();

      cutBehindTheSeed();
      assertThat(write()).as("the log no longer goes on").isEqualTo(CELLS);
      assertSeed(10);
    }
  }

  private void create() throws Exception {
    var topology = stack.topology("dc1");
    dc1 = BareDataCenter.of("dc1", topology, stack.broker("dc1").bootstrap());
    InstanceDatabases.create(topology, pools, made -> {});
    try (var admin = stack.broker("dc1").admin()) {
      var topics = new InstanceTopics(admin, plan());
      topics.create(List.of());
      topics.createForSeed("dc3");
      var topic = admin.describeTopics(List.of("trips.log")).allTopicNames().get().get("trips.log");
      log = new RememberedLog(LinkPlace.cluster(dc1), topic.topicId().toString());
    }
  }

  private TopicPlan plan() {
    var topology = dc1.topology();
    return new TopicPlan(topology.topics(), topology.shards(), LogShape.PARTITION, (short) 1);
  }

  /** Own cells, and between them some of dc2. */
  private void insert() throws SQLException, InvalidCellException {
    var topology = dc1.topology();
    var body = Body.ofJson("{\"fare\":12.50}").stored();
    for (int n = 0; n < CELLS * 2; n++) {
      var row = new UUID(7, n);
      int shard = topology.shards().of(row);
      var sql =
          "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, 'BASE', 1, ?, ?, ?, UTC_TIMESTAMP(6))"
              .formatted(Names.database("trips", shard));
      boolean here = n % 2 == 0;
      try (var connection = pools.open(topology.clusterOf(shard).master());
          var insert = connection.prepareStatement(sql, new String[] {"added_id"})) {
        insert.setBytes(1, UuidBytes.of(row));
        insert.setBytes(2, body);
        insert.setString(3, here ? "dc1" : "dc2");
        insert.setObject(4, here ? null : n);
        insert.executeUpdate();
        try (var id = insert.getGeneratedKeys()) {
          id.next();
          if (here) {
            own.computeIfAbsent(shard, s -> new ArrayList<>()).add(id.getLong(1));
          }
        }
      }
    }
  }

  private long write() throws Exception {
    return new SeedWriter(dc1, "dc3", plan(), 0).run(PARTITIONS, log, new Unheard());
  }

  /**
   * @param next where the log goes on, in each partition
   */
  private void assertSeed(long next) throws Exception {
    var found = new TreeMap<Integer, List<Long>>();
    for (int partition : PARTITIONS) {
      var records = records(partition);
      assertThat(SeedTopic.mark(records.get(0)))
          .contains(new SeedMark(false, new MeshPlace(log, next)));
      assertThat(SeedTopic.mark(records.get(records.size() - 1)))
          .contains(new SeedMark(true, new MeshPlace(log, next)));
      try (var reader = EnvelopeReader.lenient()) {
        for (var record : records.subList(1, records.size() - 1)) {
          LogRecord cell = reader.readLog(record.key(), record.value());
          assertThat(cell.cell().origin().orElseThrow().datacenter()).isEqualTo("dc1");
          assertThat(cell.cell().origin().orElseThrow().id()).isEqualTo(cell.addedId());
          found.computeIfAbsent(cell.shard(), s -> new ArrayList<>()).add(cell.addedId());
        }
      }
    }
    assertThat(found).isEqualTo(own);
  }

  private List<ConsumerRecord<byte[], byte[]>> records(int partition) {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    try (var client = new SeedTopic(dc1.kafka(), "trips.seed.dc3").consumer()) {
      var offsets = TopicOffsets.of(client, "trips.seed.dc3");
      new PartitionReader(client)
          .read(
              offsets.partition(partition),
              offsets.begin(partition),
              offsets.end(partition),
              records::add);
    }
    return records;
  }

  private void send(int count) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            dc1.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        for (int partition : PARTITIONS) {
          producer.send(new ProducerRecord<>("trips.log", partition, null, new byte[1])).get();
        }
      }
    }
  }

  private void cutBehindTheSeed() throws Exception {
    try (var admin = stack.broker("dc1").admin()) {
      admin
          .deleteRecords(
              Map.of(new TopicPartition("trips.log", 0), RecordsToDelete.beforeOffset(6)))
          .all()
          .get();
    }
  }

  /** A step that nobody follows. */
  private static final class Unheard implements Step {
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
