package io.cellmesh.e2e.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.CellKey;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Four real data centres, of which dc2 is lost before the last one joins. */
@Tag("full")
class FourthDataCenterIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Cells of dc2 that dc1 has when it is lost, and dc3 has not. */
  private static final int LACKED = 500;

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private BareServers servers;
  private Path all;

  @Test
  void what_one_alone_had_of_a_lost_data_centre_comes_to_the_other_and_to_one_that_joins_later()
      throws Exception {
    try (var started = BareServers.start(state, 4)) {
      servers = started;
      all = servers.file("all.yaml", entry("dc1"), entry("dc2"), entry("dc3"));
      for (var dc : List.of("dc1", "dc2", "dc3")) {
        on("instance", "create", "--dc", dc).succeeded();
        on("connectors", "apply", "--dc", dc).succeeded();
        servers.startHerb(all, dc, dc);
      }
      long given = load("dc1", 1, 60) + load("dc2", 2, 60) + load("dc3", 3, 60);
      awaitAll(given, "dc1", "dc2", "dc3");

      servers.stack().app("dc3-herb").stop();
      assertThat(loadRows("dc2")).isEqualTo(LACKED);
      awaitAll(given + LACKED, "dc1", "dc2");
      servers.lose("dc2");
      servers.stack().app("dc3-herb").start();
      assertThat(cells("dc3")).as("what dc3 lacks nobody can bring it").isEqualTo(given);

      var lost = on("dc", "lost", "dc2", "--yes").succeeded();
      awaitAll(given + LACKED, "dc1", "dc3");
      assertThat(order("dc3")).as(lost.out()).isEqualTo(order("dc1"));
      on("dc", "remove", "dc2", "--yes").succeeded();

      var four = servers.file("four.yaml", entry("dc1"), entry("dc3"), entry("dc4"));
      Files.move(four, all, StandardCopyOption.REPLACE_EXISTING);
      servers.stack().app("dc1-herb").restart();
      servers.stack().app("dc3-herb").restart();
      servers.startHerb(all, "dc4", "dc4");
      var joined = on("dc", "add", "dc4", "--replication-factor", "1").succeeded();
      assertThat(joined.out())
          .contains("dc4 has joined")
          .doesNotContain("neither topics nor tables have them any more");

      long more = load("dc4", 4, 40) + load("dc1", 5, 40);
      awaitAll(given + LACKED + more, "dc1", "dc3", "dc4");
      var order = order("dc4");
      assertThat(order)
          .as("ids and all, each once")
          .isEqualTo(order("dc1"))
          .isEqualTo(order("dc3"));
      assertThat(order.keySet().stream().map(key -> key.substring(0, 3)).distinct())
          .containsExactly("dc1", "dc2", "dc3", "dc4");
      order.forEach(
          (key, rows) ->
              assertThat(rows).as(key).extracting(Row::id).isSorted().doesNotHaveDuplicates());
      agree("mesh", "status");
      agree("mesh", "status", "--tables");
      on("verify").succeeded();
    }
  }

  /** A data centre on its own servers, which reads its peers' brokers. */
  private String entry(String dc) throws IOException {
    return servers.entry(dc, dc, "");
  }

  private Command on(String... command) {
    var args = new ArrayList<>(List.of(command));
    args.addAll(List.of("--deployment", all.toString()));
    return Command.run(args.toArray(String[]::new));
  }

  private long load(String dc, int seed, int trips) {
    return Command.load(seed, trips, "--deployment", all.toString(), "--dc", dc);
  }

  /** Rows of one cell. */
  private long loadRows(String dc) throws IOException {
    var rows =
        Files.writeString(
            state.resolve("rows.csv"),
            IntStream.range(0, LACKED)
                .mapToObj(i -> i + "," + i % 7 + "\n")
                .collect(Collectors.joining("", "trip,fare\n", "")));
    return Command.load(
        6, 0, "--deployment", all.toString(), "--dc", dc, "--input", rows.toString());
  }

  private void awaitAll(long count, String... datacenters) {
    for (var dc : datacenters) {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(cells(dc)).as(dc).isEqualTo(count));
    }
  }

  private void agree(String... status) {
    await().atMost(PATIENCE).untilAsserted(() -> on(status).succeeded());
  }

  private long cells(String dc) throws Exception {
    return new WrittenCells(datacenter(dc)).count();
  }

  /** A cell as a table has it, under the id that its origin gave it. */
  private record Row(long id, CellKey key, String body) {}

  /** The cells of each origin and shard, in the order in which the tables have them. */
  private Map<String, List<Row>> order(String dc) throws Exception {
    var topology = datacenter(dc).topology();
    var order = new TreeMap<String, List<Row>>();
    try (var pools = new Pools(datacenter(dc).operator())) {
      for (int shard = 0; shard < BareServers.SHARDS; shard++) {
        int of = shard;
        try (var connection = pools.open(topology.clusterOf(shard).master())) {
          EntityScan.scan(
              connection,
              topology,
              shard,
              0,
              row -> {
                var cell = row.cell();
                var origin = cell.origin().orElseThrow();
                order
                    .computeIfAbsent(origin.datacenter() + "/" + of, key -> new ArrayList<>())
                    .add(new Row(origin.id(), cell.key(), cell.body().digest()));
              });
        }
      }
    }
    return order;
  }

  private DataCenter datacenter(String dc) throws IOException {
    return Deployment.read(all).datacenter(Optional.of(dc));
  }
}
