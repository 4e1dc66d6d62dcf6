package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cellmesh.devstack.dist.FakeTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One storage cluster: a master and a minion. */
class MySqlClusterIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path dir;

  private static DevStack stack;
  private static MySqlServer master;
  private static MySqlServer minion;

  @BeforeAll
  static void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withoutKafka(),
            Progress.silent());
    var cluster = stack.cluster("dc1", "c1");
    master = cluster.master();
    minion = cluster.minions().get(0);
    master.execute("CREATE DATABASE place", "CREATE TABLE place.t (id BIGINT PRIMARY KEY)");
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void whatTheMasterCommitsReachesTheMinion() {
    master.execute("INSERT INTO place.t VALUES (1)");

    assertThat(minion.catchesUpWith(master, SOON)).isTrue();
    assertThat(minion.query("SELECT COUNT(*) FROM place.t WHERE id = 1")).isEqualTo("1");
  }

  @Test
  void nothingCommittedCanGetLost() {
    for (var server : stack.cluster("dc1", "c1").servers()) {
      assertThat(
              server.query(
                  "SELECT CONCAT_WS(' ', @@sync_binlog, @@innodb_flush_log_at_trx_commit, @@gtid_mode, @@binlog_row_image, @@replica_preserve_commit_order, @@log_replica_updates, @@time_zone, @@max_allowed_packet)"))
          .isEqualTo("1 1 ON FULL 1 1 +00:00 67108864");
    }
  }

  @Test
  void aMinionTakesNoWrites() {
    assertThatThrownBy(() -> minion.execute("CREATE DATABASE other"))
        .isInstanceOf(DevStackException.class)
        .hasMessageContaining("super-read-only");
  }

  @Test
  void aKilledMasterComesBackReadOnlyOnItsPortAndTheMinionFollowsAgain() throws IOException {
    int port = master.port();
    master.execute("INSERT INTO place.t VALUES (100)");
    master.kill();
    assertThat(master.isAlive()).isFalse();
    // As if another process had its number by now.
    Files.writeString(
        master.dataDir().resolve("mysqld.sock.lock"), ProcessHandle.current().pid() + "\n");

    master.restart();

    assertThat(master.port()).isEqualTo(port);
    assertThatThrownBy(() -> master.execute("INSERT INTO place.t VALUES (101)"))
        .hasMessageContaining("super-read-only");
    master.openMaster();
    master.execute("INSERT INTO place.t VALUES (101)");
    await()
        .atMost(SOON)
        .until(() -> minion.query("SELECT COUNT(*) FROM place.t WHERE id >= 100").equals("2"));
  }

  @Test
  void aFrozenMasterAnswersNobodyAndGoesOnAfterwards() {
    master.pause();
    try {
      assertThatThrownBy(() -> connectWithin500Millis()).isInstanceOf(SQLException.class);
    } finally {
      master.resume();
    }
    assertThat(master.query("SELECT 1")).isEqualTo("1");
  }

  @Test
  void aMinionWhoseClockIsApartFollowsAndWaitsWithoutAProcessor() throws Exception {
    var missing = FakeTime.missing();
    assumeTrue(missing.isEmpty(), missing.orElse(""));
    minion.setClock(Duration.ofMinutes(7));
    minion.restart();
    try {
      assertThat(Long.parseLong(minion.query("SELECT UNIX_TIMESTAMP()")))
          .isCloseTo(Instant.now().getEpochSecond() + 420, within(30L));
      master.execute("INSERT INTO place.t VALUES (50)");
      assertThat(minion.catchesUpWith(master, SOON)).isTrue();

      var before = processorTime(minion);
      Thread.sleep(3_000);
      assertThat(processorTime(minion).minus(before)).isLessThan(Duration.ofMillis(1_000));
    } finally {
      minion.setClock(Duration.ZERO);
      minion.restart();
    }
  }

  @Test
  void theTopologyNamesTheServersAndADomainForEach() {
    var cluster = stack.topology("dc1").cluster("c1");

    assertThat(cluster.shards()).hasToString("0-63");
    assertThat(cluster.master()).isEqualTo(master.server());
    assertThat(cluster.master().domain()).isEqualTo("dc1-c1-m");
    assertThat(cluster.minions()).containsExactly(minion.server());
    assertThat(stack.endpoints().dc("dc1").clusters().get(0).master()).isEqualTo(master.url());
  }

  private static Duration processorTime(MySqlServer server) {
    return ProcessHandle.of(server.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
  }

  private static void connectWithin500Millis() throws SQLException {
    java.sql.DriverManager.getConnection(
            "jdbc:mysql://127.0.0.1:%d/?user=root&sslMode=DISABLED&connectTimeout=500&socketTimeout=500"
                .formatted(master.port()))
        .close();
  }
}
