package io.cellmesh.e2e.restored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Origin;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.dist.SparseCopy;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.ExpiredRecords;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data centre of two, one of whose storage clusters comes from a backup, server_uuid and all,
 * after its ingest topic and its log have lost what came behind that: only the other one has it.
 */
@Tag("full")
class RestoredDataCenterIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private Stack stack;

  /** Cells that the data centres were given, none twice. */
  private long given;

  @Test
  void it_is_told_and_gets_its_cells_back_under_the_ids_that_the_others_know() throws Exception {
    var options = new StackOptions(Optional.of(state), 2, 8, 4, List.of());
    try (var started = Stack.start(options, Command.silent().steps())) {
      stack = started;
      load("dc1", 1, 100);
      load("dc2", 2, 200);
      awaitSettled();
      var servers = stack.devStack().cluster("dc2", "c1").servers();
      var backup = backup(servers);
      opened();
      load("dc2", 3, 200);
      load("dc1", 4, 50);
      awaitSettled();
      var before = origins("dc2");
      ExpiredRecords.all(datacenter("dc2").kafka(), "trips.cells");
      ExpiredRecords.all(datacenter("dc2").kafka(), "trips.log");
      restore(servers, backup);

      var told = Command.on(state, "mesh", "status");
      assertThat(told.exit()).as(told.out() + told.err()).isEqualTo(1);
      assertThat(told.out())
          .containsPattern(
              "dc2 went back in time: of its own cells its tables have [\\d,]+ of the [\\d,]+ that"
                  + " dc1 has, and lack some in [1-4] shards?")
          .contains("`cellmesh dc back dc2` brings them back");
      assertThat(Command.on(state, "status").out()).contains("dc2 went back in time");
      assertThat(promote().exit()).as("nobody opens it as it is").isEqualTo(1);
      var reused = Command.on(state, "dc", "back", "dc2");
      assertThat(reused.exit()).as(reused.out()).isEqualTo(1);
      assertThat(reused.err()).contains("server_uuid and all", "delete auto.cnf");

      anotherServer(servers.get(0));
      var lost = Command.on(state, "dc", "back", "dc2");
      assertThat(lost.exit()).as(lost.out() + lost.err()).isEqualTo(1);
      assertThat(lost.out()).contains("dc2 went back in time");
      assertThat(lost.err()).contains("say --yes to bring dc2 back");
      assertThat(origins("dc2").size()).as("nothing was changed").isLessThan(before.size());

      var back = Command.on(state, "dc", "back", "dc2", "--yes");
      assertThat(back.out())
          .contains("dc2 is back; the links to it go on")
          .contains("trips.cells no longer has all that comes behind the backup");
      assertThat(origins("dc2"))
          .as("the same cells, ids and all")
          .containsAllEntriesOf(own(before));
      var accepted =
          Command.on(state, "ingest", "accept", "--dc", "dc2", "--topic", "trips.cells", "--yes");
      assertThat(accepted.exit()).as(accepted.out() + accepted.err()).isZero();

      load("dc2", 5, 100);
      awaitSettled();
      assertThat(origins("dc2")).containsAllEntriesOf(before).isEqualTo(origins("dc1"));
      agree("mesh", "status", "--tables");
      agree("mesh", "status");
      leaveTheSinkWithTheMeshAlone();
      var again = Command.on(state, "dc", "back", "dc2");
      assertThat(again.exit()).as(again.out() + again.err()).isZero();
      load("dc2", 6, 20);
      awaitSettled();
      assertThat(promote().exit()).as("it is a master as any other").isZero();
    }
  }

  /** As one does that is interrupted before its last step. */
  private void leaveTheSinkWithTheMeshAlone() throws IOException {
    var connect = ConnectClients.of(datacenter("dc2"));
    var settings = new HashMap<>(connect.config("trips-sink"));
    settings.put("topics", "trips.mesh");
    connect.put("trips-sink", settings);
  }

  private static void agree(String... status) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var said = Command.on(state, status);
              assertThat(said.exit()).as(said.out() + said.err()).isZero();
            });
  }

  /** Stops them, so that their files are of one moment, copies those, and starts them again. */
  private static Map<MySqlServer, Path> backup(List<MySqlServer> servers) throws IOException {
    servers.forEach(MySqlServer::stop);
    var backup = new HashMap<MySqlServer, Path>();
    for (var server : servers) {
      var copy = server.dataDir().resolveSibling("backup");
      SparseCopy.directory(server.dataDir(), copy, file -> true);
      backup.put(server, copy);
    }
    start(servers);
    return backup;
  }

  /** Puts the copies in the place of their files; auto.cnf is among them. */
  private static void restore(List<MySqlServer> servers, Map<MySqlServer, Path> backup)
      throws IOException {
    servers.forEach(MySqlServer::stop);
    for (var server : servers) {
      Files.move(server.dataDir(), server.dataDir().resolveSibling("lost"));
      Files.move(backup.get(server), server.dataDir());
    }
    start(servers);
  }

  private static void start(List<MySqlServer> servers) {
    servers.forEach(MySqlServer::start);
    servers.forEach(MySqlServer::awaitReady);
  }

  private static void anotherServer(MySqlServer server) throws IOException {
    server.stop();
    Files.delete(server.dataDir().resolve("auto.cnf"));
    server.start();
    server.awaitReady();
  }

  private void opened() {
    var opened = promote();
    assertThat(opened.exit()).as(opened.out() + opened.err()).isZero();
  }

  private Command promote() {
    var master = stack.devStack().topology("dc2").cluster("c1").master();
    return Command.on(state, "promote", "--dc", "dc2", "--cluster", "c1", "--to", master.address());
  }

  private void load(String dc, int seed, int trips) {
    given += Command.load(seed, trips, "--state", state.toString(), "--dc", dc);
  }

  /** Until both data centres have all cells, and both have folded them. */
  private void awaitSettled() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(origins("dc1")).hasSize(Math.toIntExact(given));
              assertThat(origins("dc2").keySet()).isEqualTo(origins("dc1").keySet());
              var agree = Command.on(state, "mesh", "status", "--json");
              assertThat(agree.exit()).as(agree.out() + agree.err()).isZero();
              assertThat(agree.out()).doesNotContainPattern("\"waiting_cells\" ?: ?[1-9]");
            });
  }

  /** Where each cell was first written, as a data centre's masters have it. */
  private Map<String, Origin> origins(String name) throws Exception {
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

  private static Map<String, Origin> own(Map<String, Origin> all) {
    var own = new HashMap<>(all);
    own.values().removeIf(origin -> !origin.datacenter().equals("dc2"));
    return own;
  }

  private DataCenter datacenter(String name) throws IOException {
    return stack.deployment().datacenter(Optional.of(name));
  }
}
