package io.cellmesh.e2e.restored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.devstack.dist.SparseCopy;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.ExpiredRecords;
import io.cellmesh.e2e.Mortal;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.mesh.DataCenterLoss;
import io.cellmesh.operations.mesh.DataCenterReturn;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data centre, dc2, all of whose servers come from a backup, and whose way back is killed behind
 * each of its steps. What the other one has of it, dc1, is another instance on the same broker and
 * a server beside, with no connectors and no link: topics and tables that have dc2's cells.
 */
@Tag("full")
class ReturnStepsIT {
  private static final Path HOME = StateDirectory.home();
  private static final Credentials ROOT = new Credentials("root", "");
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int SHARDS = 8;
  private static final List<String> CLUSTERS = List.of("c1", "c2");

  /** Partitions of which the topics of dc1 have lost all but the last cell of each shard. */
  private static final Set<Integer> EXPIRED = Set.of(0, 1);

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private final Map<MySqlServer, Path> backup = new HashMap<>();
  private DevStack servers;
  private Pools pools;
  private DataCenter dc1;
  private Path file;
  private long given;

  @Test
  void killed_behind_each_step_and_run_again_it_goes_on_and_ends_equal() throws Exception {
    var options =
        Options.defaults()
            .withStateDir(state.resolve("servers"))
            .withInstance("trips", SHARDS, 4)
            .withDatacenters(1)
            .withClusters(3)
            .withMinions(0)
            .withWorkerSetting("offset.flush.interval.ms", "1000")
            .withPlugins(StackOptions.plugins(HOME));
    try (var started = DevStack.start(options, Progress.silent());
        var opened = new Pools(ROOT)) {
      servers = started;
      pools = opened;
      create();
      load(1, 100);
      backUp();
      load(2, 100);
      var before = own();
      tellDc1(before);
      ExpiredRecords.all(dc2().kafka(), "trips.cells");
      ExpiredRecords.all(dc2().kafka(), "trips.log");
      restore();

      assertThat(back().findings())
          .hasSize(2)
          .anyMatch(text -> text.matches("dc2 went back in time: .* in 8 shards, .*"))
          .contains(
              "dc2 lacks cells of dc2 in 4 shards, of which no topic has all any more: they are read from entity tables");
      var moments = new LinkedHashSet<String>();
      var told = returned(moments);
      for (var cluster : CLUSTERS) {
        var master = dc2().topology().cluster(cluster).master().address();
        assertThat(moments)
            .contains(
                "after %s gets an epoch".formatted(master),
                "after the log of %s goes on behind what %s has".formatted(cluster, master),
                "after open %s for writes".formatted(master));
      }
      // Once cells have come to the mesh topic the next one may find them in the tables.
      assertThat(moments)
          .contains(
              "after the sink of dc2 takes the mesh alone",
              "in the middle of its added_ids go on in the range of an epoch",
              "after its added_ids go on in the range of an epoch",
              "after the other clusters learn of an epoch",
              "after the connectors get the topology",
              "in the middle of lost cells come to the mesh topic of dc2",
              "after lost cells come to the mesh topic of dc2",
              "after the sink takes what producers write");
      assertThat(told)
          .anyMatch(
              text ->
                  text.startsWith("trips.cells no longer has all that comes behind the backup"));

      assertThat(ids(own())).as("the same cells, ids and order").isEqualTo(ids(before));
      allHaveTheMapThatTheFileHas();
      run("ingest", "accept", "--topic", "trips.cells", "--yes");
      load(3, 50);
      var after = ids(own());
      for (int shard = 0; shard < SHARDS; shard++) {
        var had = ids(before).get(shard);
        assertThat(after.get(shard).subList(0, had.size())).isEqualTo(had);
        assertThat(after.get(shard)).isSorted().doesNotHaveDuplicates();
      }
      assertThat(back().findings()).isEmpty();
    }
  }

  private DataCenterReturn back() throws IOException {
    return new DataCenterReturn(new DataCenterLoss("dc2", List.of(dc1)), dc2());
  }

  /**
   * Runs it until one comes to its end.
   *
   * @param moments where others have ended before
   * @return what the last one says
   */
  private List<String> returned(Set<String> moments) throws Exception {
    while (true) {
      try {
        return back().run(0, Mortal.atNewMoment(moments));
      } catch (Mortal.Killed e) {
        moments.add(e.moment());
      }
    }
  }

  private void create() throws Exception {
    var topology = state.resolve("topology-dc2.yaml");
    Files.writeString(
        topology,
        """
        instance: trips
        shards: 8
        partitions: 4
        datacenter: dc2
        clusters:
          - {name: c1, shards: 0-3, epoch: 1, master: {url: "%s", domain: rack1}}
          - {name: c2, shards: 4-7, epoch: 1, master: {url: "%s", domain: rack2}}
        """
            .formatted(url("c1"), url("c2")));
    file =
        Files.writeString(
            state.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - name: dc2
                topology: "%s"
                kafka: {bootstrap: "%s"}
                connect: {url: "%s"}
                mysql: {user: root}
                connectors: {user: root}
            """
                .formatted(
                    topology, servers.broker("dc1").bootstrap(), servers.worker("dc1").url()));
    run("instance", "create");
    run("connectors", "apply");
    var mirror =
        TopologyYaml.parse(
            """
            instance: mirror
            shards: 8
            partitions: 4
            datacenter: dc1
            clusters:
              - {name: c3, shards: 0-7, epoch: 1, master: {url: "%s", domain: rack3}}
            """
                .formatted(url("c3")));
    InstanceDatabases.create(mirror, pools, made -> {});
    try (var admin = servers.broker("dc1").admin()) {
      new InstanceTopics(admin, mirror.topics(), mirror.shards(), (short) 1).create(List.of());
    }
    dc1 =
        new DataCenter(
            "dc1",
            mirror,
            TopologyStore.ofFile(state.resolve("topology-dc1.yaml")),
            FixedAccess.plain(
                servers.broker("dc1").bootstrap(), URI.create("http://127.0.0.1:1"), ROOT));
  }

  private String url(String cluster) {
    return servers.topology("dc1").cluster(cluster).master().url();
  }

  private void load(int seed, int trips) throws Exception {
    given += Command.load(seed, trips, "--deployment", file.toString(), "--dc", "dc2");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(own().values().stream().mapToLong(List::size).sum()).isEqualTo(given));
  }

  /** Stops the masters, so that their files are of one moment, and starts and opens them again. */
  private void backUp() throws IOException {
    for (var cluster : CLUSTERS) {
      var server = servers.cluster("dc1", cluster).master();
      server.stop();
      var copy = server.dataDir().resolveSibling("backup");
      SparseCopy.directory(server.dataDir(), copy, found -> true);
      backup.put(server, copy);
      start(server);
      var master = dc2().topology().cluster(cluster).master().address();
      run("promote", "--cluster", cluster, "--to", master);
    }
  }

  /** Puts the copies in the place of their files, as servers that nobody has known. */
  private void restore() throws IOException {
    for (var server : backup.keySet()) {
      server.stop();
      Files.move(server.dataDir(), server.dataDir().resolveSibling("lost"));
      Files.move(backup.get(server), server.dataDir());
      Files.delete(server.dataDir().resolve("auto.cnf"));
      start(server);
    }
  }

  private static void start(MySqlServer server) {
    server.start();
    server.awaitReady();
  }

  /** The cells that dc2 has, by shard and in the order of their added_ids. */
  private Map<Integer, List<Cell>> own() throws Exception {
    var topology = dc2().topology();
    var own = new TreeMap<Integer, List<Cell>>();
    for (int shard = 0; shard < SHARDS; shard++) {
      var rows = new ArrayList<LogRecord>();
      try (var connection = pools.open(topology.clusterOf(shard).master())) {
        EntityScan.own(connection, topology, shard, 0, Integer.MAX_VALUE, rows::add);
      }
      own.put(shard, rows.stream().map(LogRecord::cell).toList());
    }
    return own;
  }

  private static Map<Integer, List<Long>> ids(Map<Integer, List<Cell>> cells) {
    var ids = new TreeMap<Integer, List<Long>>();
    cells.forEach(
        (shard, of) ->
            ids.put(
                shard, of.stream().map(Cell::origin).map(Optional::get).map(Origin::id).toList()));
    return ids;
  }

  /** All of it stands in dc1's tables, and in its mesh topic but for what expires. */
  private void tellDc1(Map<Integer, List<Cell>> cells) throws Exception {
    var deletions = new HashMap<TopicPartition, RecordsToDelete>();
    try (var producer =
            new KafkaProducer<>(
                dc1.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer());
        var admin = servers.broker("dc1").admin()) {
      for (var shard : cells.entrySet()) {
        insert(shard.getKey(), shard.getValue());
        send(producer, shard.getKey(), shard.getValue());
      }
      for (int partition : EXPIRED) {
        int shards = 0;
        for (var shard : cells.entrySet()) {
          if (dc1.topology().shards().partitionOf(shard.getKey()) == partition) {
            var all = shard.getValue();
            send(producer, shard.getKey(), all.subList(all.size() - 1, all.size()));
            shards++;
          }
        }
        var log = new TopicPartition("mirror.log", partition);
        producer.send(new ProducerRecord<>(log.topic(), partition, null, new byte[1])).get();
        deletions.put(log, RecordsToDelete.beforeOffset(1));
        try (var client = Consumers.open(dc1.kafka())) {
          var offsets = TopicOffsets.of(client, "mirror.mesh");
          deletions.put(
              offsets.partition(partition),
              RecordsToDelete.beforeOffset(offsets.end(partition) - shards));
        }
      }
      admin.deleteRecords(deletions).all().get();
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, int shard, List<Cell> cells)
      throws Exception {
    int partition = dc1.topology().shards().partitionOf(shard);
    for (var cell : cells) {
      producer.send(
          new ProducerRecord<>(
              "mirror.mesh", partition, Envelope.key(cell.key()), Envelope.write(cell)));
    }
    producer.flush();
  }

  private void insert(int shard, List<Cell> cells) throws Exception {
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, ?, ?, ?, 'dc2', ?, UTC_TIMESTAMP(6))"
            .formatted(Names.database("mirror", shard));
    try (var connection = pools.open(dc1.topology().clusterOf(shard).master());
        var insert = connection.prepareStatement(sql)) {
      for (var cell : cells) {
        insert.setBytes(1, UuidBytes.of(cell.key().rowKey()));
        insert.setString(2, cell.key().columnName());
        insert.setLong(3, cell.key().refKey());
        insert.setBytes(4, cell.body().stored());
        insert.setLong(5, cell.origin().orElseThrow().id());
        insert.executeUpdate();
      }
    }
  }

  private void allHaveTheMapThatTheFileHas() throws Exception {
    ConnectClient connect = ConnectClients.of(dc2());
    var maps = new TreeMap<String, Topology>();
    for (var name : connect.connectors()) {
      maps.put(name, TopologyYaml.parse(connect.config(name).get("topology")));
    }
    assertThat(maps).containsOnlyKeys("trips-sink", "trips-source-c1", "trips-source-c2");
    assertThat(maps.values()).allMatch(dc2().topology()::equals);
    assertThat(dc2().topology().clusters()).allMatch(cluster -> cluster.epoch() > 1);
    assertThat(connect.config("trips-sink")).containsEntry("topics", "trips.cells,trips.mesh");
  }

  private void run(String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--deployment", file.toString(), "--dc", "dc2"));
    Command.run(all.toArray(String[]::new)).succeeded();
  }

  private DataCenter dc2() throws IOException {
    return Deployment.read(file).datacenter(Optional.of("dc2"));
  }
}
