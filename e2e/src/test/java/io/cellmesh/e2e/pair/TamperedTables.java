package io.cellmesh.e2e.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Difference.Kind;
import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.mesh.MeshProof;
import io.cellmesh.operations.mesh.TableProof;
import io.cellmesh.storage.Pools;
import io.cellmesh.worker.Worker;
import io.cellmesh.worker.security.Protection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Changes rows of a data centre's tables behind everybody's back, without a trace in a binlog, and
 * measures how long it takes until that is told by itself.
 */
final class TamperedTables implements AutoCloseable {
  /** As a worker reads that nobody has told another pace. */
  private static final int ROWS_A_SECOND = 1_000;

  private static final Duration NAMED = Duration.ofSeconds(60);

  private final Deployment deployment;
  private final DataCenter dc;
  private final Pools pools;
  private final String state;
  private final Worker worker;

  /** An entity row. */
  private record Row(long addedId, String origin, long originId, byte[] body) {}

  /** What is done with a server's tables. */
  private interface Change {
    void run(Connection connection) throws SQLException;
  }

  TamperedTables(Deployment deployment, DataCenter dc, Pools pools, String state) {
    this.deployment = deployment;
    this.dc = dc;
    this.pools = pools;
    this.state = state;
    this.worker =
        Worker.start(
            new InetSocketAddress("127.0.0.1", 0),
            Protection.LOOPBACK,
            Map.of(dc, deployment),
            ROWS_A_SECOND);
  }

  @Override
  public void close() {
    worker.close();
  }

  /** Waits until all tables were read and are right. */
  void awaitRight() {
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              assertThat(proof().oldest()).isPresent();
              assertThat(proof().agrees()).isTrue();
            });
  }

  /** A body of a cell of another data centre, on a minion alone. */
  void changeABody() throws Exception {
    var cluster = dc.topology().clusters().get(0);
    var server = cluster.minions().get(0);
    for (int shard : cluster.shards().stream().toArray()) {
      var foreign =
          rows(server, shard).stream().filter(row -> !row.origin().equals(dc.name())).findFirst();
      if (foreign.isPresent()) {
        var row = foreign.get();
        var other = Body.ofJson("{\"tampered\":true}").stored();
        named(
            "a changed body",
            server,
            shard,
            Kind.CHANGED,
            List.of(row),
            connection -> put(connection, shard, row.addedId(), other),
            connection -> put(connection, shard, row.addedId(), row.body()));
        return;
      }
    }
    throw new IllegalStateException("no cell of others");
  }

  /** The last row of a shard, on its master. */
  void dropTheLastRow() throws Exception {
    int shard = withRows(2);
    var server = dc.topology().clusterOf(shard).master();
    var rows = rows(server, shard);
    var row = rows.get(rows.size() - 1);
    var entity = Names.database("trips", shard) + ".entity";
    var aside = Names.database("trips", shard) + ".dropped";
    named(
        "a dropped row",
        server,
        shard,
        Kind.MISSING,
        List.of(row),
        connection -> {
          execute(
              connection,
              "CREATE TABLE %s AS SELECT * FROM %s WHERE added_id = %d"
                  .formatted(aside, entity, row.addedId()));
          execute(
              connection, "DELETE FROM %s WHERE added_id = %d".formatted(entity, row.addedId()));
        },
        connection -> {
          execute(connection, "INSERT INTO %s SELECT * FROM %s".formatted(entity, aside));
          execute(connection, "DROP TABLE " + aside);
        });
  }

  /** The bodies of two rows of one origin. */
  void swapTwo() throws Exception {
    int shard = withRows(2);
    var server = dc.topology().clusterOf(shard).master();
    var rows = new ArrayList<Row>();
    for (var row : rows(server, shard)) {
      if (rows.isEmpty()
          || rows.size() == 1
              && row.origin().equals(rows.get(0).origin())
              && !Arrays.equals(row.body(), rows.get(0).body())) {
        rows.add(row);
      }
    }
    assertThat(rows).hasSize(2);
    var one = rows.get(0);
    var other = rows.get(1);
    named(
        "two swapped rows",
        server,
        shard,
        Kind.CHANGED,
        rows,
        connection -> {
          put(connection, shard, one.addedId(), other.body());
          put(connection, shard, other.addedId(), one.body());
        },
        connection -> {
          put(connection, shard, one.addedId(), one.body());
          put(connection, shard, other.addedId(), other.body());
        });
  }

  private void named(
      String what, Server server, int shard, Kind kind, List<Row> rows, Change change, Change undo)
      throws Exception {
    unlogged(server, change);
    try {
      long begun = System.nanoTime();
      var told =
          await()
              .atMost(NAMED)
              .pollInterval(Duration.ofMillis(500))
              .until(() -> of(server, shard), found -> !found.isEmpty());
      System.out.printf(
          "%s at %s: named after %.1f s%n",
          what, server.address(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 1e3);
      var origin = rows.get(0).origin();
      assertThat(told)
          .allSatisfy(
              found -> {
                assertThat(found.kind()).isEqualTo(kind);
                assertThat(found.cells().origin()).isEqualTo(origin);
              });
      assertThat(rows)
          .anySatisfy(
              row -> assertThat(row.originId()).isGreaterThanOrEqualTo(told.get(0).first()));
      assertDiff(server, shard, kind, rows);
      // Reading goes on meanwhile, and may find more of it.
      await()
          .atMost(NAMED)
          .untilAsserted(
              () -> {
                assertStatus(server, shard);
                var differences = "cellmesh_worker_scrub_differences{cellmesh_instance=\"trips\"} ";
                assertThat(metrics()).contains(differences).doesNotContain(differences + "0");
              });
    } finally {
      unlogged(server, undo);
    }
    awaitRight();
  }

  private void assertStatus(Server server, int shard) throws Exception {
    var found = of(server, shard);
    assertThat(found).isNotEmpty();
    var status = Command.run("mesh", "status", "--state", state);
    assertThat(status.exit()).isEqualTo(1);
    assertThat(status.out())
        .contains(
            found.stream()
                .map(one -> "in %s: %s, at %s".formatted(dc.name(), one.text(), server.address()))
                .toList());
  }

  private void assertDiff(Server server, int shard, Kind kind, List<Row> rows) {
    var ids = rows.stream().map(Row::originId).sorted().toList();
    var diff =
        Command.run(
            "mesh",
            "diff",
            "--origin",
            rows.get(0).origin(),
            "--dc",
            dc.name(),
            "--shard",
            Integer.toString(shard),
            "--from",
            Long.toString(ids.get(0)),
            "--to",
            Long.toString(ids.get(ids.size() - 1)),
            "--in",
            "table",
            "--server",
            server.address(),
            "--state",
            state);
    assertThat(diff.exit()).as(diff.err()).isEqualTo(1);
    for (long id : ids) {
      assertThat(diff.out())
          .contains("%s shard %d, origin_id %d: ".formatted(kind.text(), shard, id));
    }
  }

  private List<Difference> of(Server server, int shard) throws Exception {
    return proof().verdicts().stream()
        .flatMap(verdict -> verdict.servers().stream())
        .filter(of -> of.address().equals(server.address()))
        .map(TableVerdict.OfServer::differences)
        .flatMap(List::stream)
        .filter(found -> found.cells().shard() == shard)
        .toList();
  }

  private TableProof proof() throws Exception {
    return MeshProof.told(deployment, false).tables().stream()
        .filter(tables -> tables.datacenter().equals(dc.name()))
        .findFirst()
        .orElseThrow();
  }

  private String metrics() throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(worker.port())))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private int withRows(int count) throws SQLException {
    for (StorageCluster cluster : dc.topology().clusters()) {
      for (int shard : cluster.shards().stream().toArray()) {
        if (rows(cluster.master(), shard).size() >= count) {
          return shard;
        }
      }
    }
    throw new IllegalStateException("no shard has " + count + " cells");
  }

  private List<Row> rows(Server server, int shard) throws SQLException {
    try (var connection = pools.open(server);
        var statement = connection.createStatement();
        var found =
            statement.executeQuery(
                "SELECT added_id, origin, COALESCE(origin_id, added_id), body FROM "
                    + Names.database("trips", shard)
                    + ".entity ORDER BY added_id")) {
      var rows = new ArrayList<Row>();
      while (found.next()) {
        rows.add(
            new Row(found.getLong(1), found.getString(2), found.getLong(3), found.getBytes(4)));
      }
      return rows;
    }
  }

  private static void put(Connection connection, int shard, long addedId, byte[] body)
      throws SQLException {
    var sql = "UPDATE %s.entity SET body = ? WHERE added_id = ?";
    try (var update = connection.prepareStatement(sql.formatted(Names.database("trips", shard)))) {
      update.setBytes(1, body);
      update.setLong(2, addedId);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  /** No other server, and no log, hears of it. */
  private void unlogged(Server server, Change change) throws SQLException {
    boolean minion =
        !dc.topology().clusters().stream().map(StorageCluster::master).toList().contains(server);
    try (var connection = pools.open(server)) {
      execute(connection, "SET SESSION sql_log_bin = 0");
      if (minion) {
        execute(connection, "SET GLOBAL super_read_only = OFF");
      }
      change.run(connection);
      if (minion) {
        execute(connection, "SET GLOBAL super_read_only = ON");
      }
      execute(connection, "SET SESSION sql_log_bin = 1");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
