package io.cellmesh.e2e.restored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Origin;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.dist.SparseCopy;
import io.cellmesh.e2e.Command;
import io.cellmesh.stack.Stack;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Two data centres, of which the servers of one are put back to what they were. */
final class RestoredPair {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path state;
  private final Stack stack;

  private final Map<MySqlServer, Path> backup = new HashMap<>();

  /** Cells that the data centres were given, none twice. */
  private int given;

  RestoredPair(Path state, Stack stack) {
    this.state = state;
    this.stack = stack;
  }

  void agree(String... status) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var said = Command.on(state, status);
              assertThat(said.exit()).as(said.out() + said.err()).isZero();
            });
  }

  /**
   * Stops the servers of a cluster of dc2, so that their files are of one moment, copies those, and
   * starts and opens them again.
   */
  void backup(String cluster) throws IOException {
    var servers = stack.devStack().cluster("dc2", cluster).servers();
    servers.forEach(MySqlServer::stop);
    for (var server : servers) {
      var copy = server.dataDir().resolveSibling("backup");
      SparseCopy.directory(server.dataDir(), copy, file -> true);
      backup.put(server, copy);
    }
    start(servers);
    var opened = promote(cluster);
    assertThat(opened.exit()).as(opened.out() + opened.err()).isZero();
  }

  /** Puts the copies in the place of their files; auto.cnf is among them. */
  void restore() throws IOException {
    backup.keySet().forEach(MySqlServer::stop);
    for (var server : backup.keySet()) {
      Files.move(server.dataDir(), server.dataDir().resolveSibling("lost"));
      Files.move(backup.get(server), server.dataDir());
    }
    start(backup.keySet());
  }

  private static void start(Collection<MySqlServer> servers) {
    servers.forEach(MySqlServer::start);
    servers.forEach(MySqlServer::awaitReady);
  }

  static void anotherServer(MySqlServer server) throws IOException {
    server.stop();
    Files.delete(server.dataDir().resolve("auto.cnf"));
    server.start();
    server.awaitReady();
  }

  Command promote(String cluster) {
    var master = stack.devStack().topology("dc2").cluster(cluster).master();
    return Command.on(
        state, "promote", "--dc", "dc2", "--cluster", cluster, "--to", master.address());
  }

  void load(String dc, int seed, int trips) throws IOException {
    var loaded =
        Command.on(
            state,
            "load",
            "--dc",
            dc,
            "--seed",
            Integer.toString(seed),
            "--trips",
            Integer.toString(trips),
            "--json");
    assertThat(loaded.exit()).as(loaded.err()).isZero();
    given += new ObjectMapper().readTree(loaded.out()).get("cells").asInt();
  }

  /** Until both data centres have all cells, and both have folded them. */
  void awaitSettled() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(origins("dc1")).hasSize(given);
              assertThat(origins("dc2").keySet()).isEqualTo(origins("dc1").keySet());
              var agree = Command.on(state, "mesh", "status", "--json");
              assertThat(agree.exit()).as(agree.out() + agree.err()).isZero();
              assertThat(agree.out()).doesNotContainPattern("\"waiting_cells\" ?: ?[1-9]");
            });
  }

  /** As the retention of one of a data centre's topics does. */
  void cut(String dc, String topic) throws Exception {
    cut(dc, topic, IntStream.range(0, partitions(dc, topic)).boxed().toList());
  }

  /** The same in some partitions. */
  void cut(String dc, String topic, Collection<Integer> partitions) throws Exception {
    var kafka = datacenter(dc).kafka();
    try (var client = Consumers.open(kafka);
        var admin = Consumers.admin(kafka)) {
      var offsets = TopicOffsets.of(client, topic);
      var deletions = new HashMap<TopicPartition, RecordsToDelete>();
      for (int partition : partitions) {
        deletions.put(
            offsets.partition(partition), RecordsToDelete.beforeOffset(offsets.end(partition)));
      }
      admin.deleteRecords(deletions).all().get();
    }
  }

  private int partitions(String dc, String topic) throws IOException {
    try (var client = Consumers.open(datacenter(dc).kafka())) {
      return TopicOffsets.of(client, topic).partitions();
    }
  }

  /** Where each cell was first written, as a data centre's masters have it. */
  Map<String, Origin> origins(String name) throws Exception {
    var topology = datacenter(name).topology();
    var origins = new HashMap<String, Origin>();
    try (var pools = new Pools(stack.deployment().operator())) {
      for (int shard = 0; shard < topology.shards().count(); shard++) {
        try (var connection = pools.open(topology.clusterOf(shard).master())) {
          EntityScan.scan(
              connection,
              topology,
              shard,
              0,
              row -> origins.put(row.cell().key().toString(), row.cell().origin().orElseThrow()));
        }
      }
    }
    return origins;
  }

  static Map<String, Origin> own(Map<String, Origin> all) {
    var own = new HashMap<>(all);
    own.values().removeIf(origin -> !origin.datacenter().equals("dc2"));
    return own;
  }

  DataCenter datacenter(String name) throws IOException {
    return stack.deployment().datacenter(Optional.of(name));
  }
}
