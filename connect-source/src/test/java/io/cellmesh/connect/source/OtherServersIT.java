package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One connector, in a cluster that loses servers, binlogs and transactions one after the other. */
@TestMethodOrder(OrderAnnotation.class)
class OtherServersIT {
  @TempDir static Path dir;

  private static DevStack stack;
  private static MySqlServer master;
  private static MySqlServer minion;
  private static InstanceFixture instance;
  private static TaskRun run;

  @BeforeAll
  static void startMySql() throws SQLException {
    stack = InstanceFixture.startServers(dir);
    var cluster = stack.cluster("dc1", "c1");
    master = cluster.master();
    minion = cluster.minions().get(0);
    instance = InstanceFixture.create(cluster);
    run = new TaskRun(stack.topology("dc1"), instance);
    instance.insert(3, 5);
    run.start(Map.of());
  }

  @AfterAll
  static void stopMySql() {
    run.stop();
    stack.close();
  }

  @Test
  @Order(1)
  void the_master_is_read_while_the_minion_is_gone_and_the_minion_once_it_is_back()
      throws Exception {
    run.readUntilComplete();
    run.stop();
    run.start(Map.of("read.master.after.ms", "1000"));
    minion.kill();
    instance.insert(1, 30);
    run.readUntilComplete();
    minion.restart();
    instance.insert(1, 30);
    run.readUntilComplete();
    long reread = System.nanoTime() + Duration.ofSeconds(12).toNanos();
    run.readUntil(() -> System.nanoTime() > reread);
    instance.insert(1, 30);
    run.readUntilComplete();

    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  @Order(2)
  void the_minion_is_read_once_it_is_back_though_cells_never_cease() throws Exception {
    minion.kill();
    instance.insert(1, 30);
    run.readUntilComplete();
    minion.restart();
    run.readUntil(() -> cellAfterCell() && isRead(minion));
    run.readUntilComplete();

    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  @Order(3)
  void binlogs_that_only_the_minion_has_purged_are_read_from_the_master() throws Exception {
    run.readUntilComplete();
    run.stop();
    instance.insert(4, 20);
    awaitMinion();
    purge(minion);
    run.start(Map.of());

    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  @Order(4)
  void binlogs_that_nobody_has_stop_the_task_and_a_rebuild_brings_the_cells() throws Exception {
    run.readUntilComplete();
    run.stop();
    instance.insert(4, 20);
    awaitMinion();
    purge(master);
    purge(minion);
    run.start(Map.of());

    assertThatThrownBy(() -> run.readUntil(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("has purged")
        .hasMessageContaining("cellmesh log rebuild --cluster c1");
    run.stop();
    run.alterOffset(Map.of("rebuild", "0-7"));
    run.start(Map.of());
    instance.insert(4, 20);
    run.readUntilComplete();
  }

  @Test
  @Order(5)
  void a_master_that_lacks_what_the_log_has_shown_stops_the_task_until_the_log_is_rebuilt()
      throws Exception {
    run.stop();
    run.start(Map.of());
    run.readUntilComplete();
    run.stop();
    // A transaction that the log counts and nobody has, as after a failover.
    var gtids = master.query("SELECT @@GLOBAL.gtid_executed").replaceAll("\\s", "");
    var lost = master.query("SELECT @@GLOBAL.server_uuid") + ":900000";
    run.alterOffset(Map.of("gtids", gtids + "," + lost));
    instance.insert(2, 10);
    run.start(Map.of());

    assertThatThrownBy(() -> run.readUntil(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("lacks transactions whose cells the log has shown")
        .hasMessageContaining(lost)
        .hasMessageContaining("cellmesh log rebuild --cluster c1");
    run.stop();
    run.alterOffset(Map.of("rebuild", "0-7"));
    run.start(Map.of());
    run.readUntilComplete();
  }

  /** So that no poll finds nothing. */
  private static boolean cellAfterCell() {
    try {
      instance.insert(1, 1);
      return true;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** By whom does not matter: nobody else reads a minion. */
  private static boolean isRead(MySqlServer minion) {
    return !minion
        .query(
            "SELECT COUNT(*) FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'")
        .equals("0");
  }

  private static void awaitMinion() {
    var executed = master.query("SELECT @@GLOBAL.gtid_executed").replaceAll("\\s", "");
    assertThat(minion.query("SELECT WAIT_FOR_EXECUTED_GTID_SET('%s', 30)".formatted(executed)))
        .isEqualTo("0");
  }

  /** Of everything that is there now; a binlog that a replica still reads stays for a moment. */
  private static void purge(MySqlServer server) {
    var executed = server.query("SELECT @@GLOBAL.gtid_executed").replaceAll("\\s", "");
    var purged = "SELECT GTID_SUBSET('%s', @@GLOBAL.gtid_purged)".formatted(executed);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              server.execute(
                  "FLUSH BINARY LOGS", "PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY");
              return server.query(purged).equals("1");
            });
  }
}
