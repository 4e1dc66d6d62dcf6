package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance's databases on a real server, over several connections. */
class InstanceSchemaIT {
  private static final int SHARDS = 64;

  @TempDir Path dir;

  private DevStack stack;
  private Topology topology;
  private StorageCluster cluster;
  private Pools pools;

  @BeforeEach
  void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(0)
                .withInstance("trips", SHARDS, 16)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    cluster = topology.clusters().get(0);
    pools = new Pools(new Credentials("root", ""));
  }

  @AfterEach
  void stop() {
    pools.close();
    stack.close();
  }

  @Test
  void whatAnInterruptionLeftOutIsMadeAndNothingElse() throws Exception {
    var counted = new Counted();
    assertThatThrownBy(() -> create(new Counted(20))).hasMessage("interrupted here");
    int left = tables();
    // A database without its table: the interruption came between the two statements.
    execute("DROP TABLE trips_0000.entity");

    create(counted);

    assertThat(left).isBetween(20, SHARDS - 1);
    assertThat(counted.found.get()).isEqualTo(left - 1);
    assertThat(counted.made.get()).isEqualTo(SHARDS - left + 1);
    assertThat(tables()).isEqualTo(SHARDS);
  }

  @Test
  void connectionsThatTheServerDoesNotGiveLeaveTheWorkToThoseThatItGave() throws Exception {
    execute("CREATE USER one@'%' IDENTIFIED BY '' WITH MAX_USER_CONNECTIONS 1");
    var held = new AtomicBoolean();
    var done = ConcurrentHashMap.<Integer>newKeySet();
    try (var scarce = new Pools(new Credentials("one", ""))) {
      ShardRun.run(
          scarce,
          cluster.master(),
          IntStream.range(0, SHARDS).boxed().toList(),
          (connection, shard) -> {
            if (held.compareAndSet(false, true)) {
              hold();
            }
            done.add(shard);
          });
    }
    assertThat(done).hasSize(SHARDS);
  }

  @Test
  void withoutAnyConnectionNothingIsDoneAndItSaysSo() {
    try (var unknown = new Pools(new Credentials("nobody", ""))) {
      assertThatThrownBy(
              () ->
                  ShardRun.run(unknown, cluster.master(), List.of(0, 1), (connection, shard) -> {}))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(cluster.master().address());
    }
  }

  /** For longer than the others wait for a connection of their own. */
  private static void hold() {
    try {
      Thread.sleep(MySqlOptions.DEFAULT.connectTimeout().plusSeconds(2).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anInstanceThatIsThereIsFoundAtOnceAndCompared() throws Exception {
    create(new Counted());
    var counted = new Counted();

    create(counted);

    assertThat(counted.found.get()).isEqualTo(SHARDS);
    assertThat(counted.made.get()).isZero();
    var other = new Topology("trips", new Shards(SHARDS, 8), "dc1", topology.clusters());
    assertThatThrownBy(() -> new InstanceSchema(other, pools).create(cluster, n -> {}))
        .isInstanceOf(TopologyMismatchException.class)
        .hasMessageContaining("restore `partitions: 16`");
  }

  private void create(InstanceSchema.CreationListener listener) throws SQLException {
    new InstanceSchema(topology, pools).create(cluster, listener);
  }

  private int tables() throws SQLException {
    try (var connection = pools.open(cluster.master());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'entity'")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (var connection = pools.open(cluster.master());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Counts, and may break off. */
  private static final class Counted implements InstanceSchema.CreationListener {
    final AtomicInteger found = new AtomicInteger();
    final AtomicInteger made = new AtomicInteger();
    private final int most;

    Counted() {
      this(Integer.MAX_VALUE);
    }

    Counted(int most) {
      this.most = most;
    }

    @Override
    public void made(int shards) {
      if (made.addAndGet(shards) >= most) {
        throw new IllegalStateException("interrupted here");
      }
    }

    @Override
    public void found(int shards) {
      found.addAndGet(shards);
    }
  }
}
