package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The task against a real master and its minion; the test plays Connect. */
class CellSourceTaskIT {
  /** It prints what it does, by itself. */
  private static final Logger BINLOG_CLIENT = Logger.getLogger("com.github.shyiko");

  @TempDir static Path dir;

  private static DevStack stack;
  private static MySqlServer master;
  private static MySqlServer minion;
  private static InstanceFixture instance;

  private TaskRun run;

  @BeforeAll
  static void startMySql() throws SQLException {
    BINLOG_CLIENT.setLevel(Level.WARNING);
    stack = InstanceFixture.startServers(dir);
    var cluster = stack.cluster("dc1", "c1");
    master = cluster.master();
    minion = cluster.minions().get(0);
    instance = InstanceFixture.create(cluster);
    instance.insert(3, 5);
  }

  @AfterAll
  static void stopMySql() {
    stack.close();
  }

  @BeforeEach
  void startTask() {
    run = new TaskRun(stack.topology("dc1"), instance);
    run.start(Map.of());
  }

  @AfterEach
  void stopTask() {
    run.stop();
  }

  @Test
  void a_new_connector_brings_every_cell_since_the_instances_creation() throws Exception {
    instance.insert(0, 20);
    instance.insert(7, 1);

    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  void cells_of_one_shard_keep_the_order_of_their_commits() throws Exception {
    var writers =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> write(1, 40)),
            CompletableFuture.runAsync(() -> write(2, 40)));

    run.readUntil(writers::isDone);
    writers.join();
    run.readUntilComplete();
  }

  @Test
  void a_restarted_task_goes_on_within_the_transaction_that_connect_has_stored() throws Exception {
    instance.insert(4, 50);
    run.readUntil(() -> run.log().cells().size() > 10);
    run.stop();
    run.start(Map.of());

    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  void a_killed_mysqld_costs_no_cell_and_repeats_none() throws Exception {
    lose(minion::kill);
  }

  @Test
  void a_stopped_mysqld_costs_no_cell_and_repeats_none() throws Exception {
    lose(minion::stop);
  }

  @Test
  void a_mysqld_that_pauses_is_waited_for() throws Exception {
    run.readUntilComplete();
    minion.pause();
    instance.insert(5, 30);
    run.read();
    minion.resume();

    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  void the_master_can_be_read_instead_and_goes_on_where_the_minion_was() throws Exception {
    run.readUntilComplete();
    run.stop();
    instance.insert(6, 10);
    run.start(Map.of("read.from", "master"));

    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  void a_changed_row_does_not_enter_the_log_and_stops_nothing() throws Exception {
    run.readUntilComplete();
    int before = run.log().cells().size();
    master.execute("UPDATE trips_0003.entity SET origin = 'elsewhere' LIMIT 1");
    instance.insert(3, 1);

    run.readUntilComplete();
    assertThat(run.log().cells()).hasSize(before + 1);
    assertThat(run.log().duplicates()).isZero();
  }

  @Test
  void a_rebuild_writes_every_cell_again_in_order_and_goes_on_with_the_binlog() throws Exception {
    run.readUntilComplete();
    run.stop();
    run.alterOffset(Map.of("rebuild", "0-7"));
    run.start(Map.of());
    var again = run.anotherReader();
    instance.insert(2, 40);
    run.readUntil(() -> run.log().duplicates() > 20);
    run.stop();
    run.start(Map.of());
    instance.insert(7, 10);

    var rows = instance.rows();
    run.readUntil(() -> again.cells().size() >= rows.size());
    assertThat(again.cells()).isEqualTo(rows);
    assertThat(run.log().cells()).isEqualTo(rows);
    instance.insert(0, 1);
    run.readUntilComplete();
  }

  @Test
  void a_user_without_rights_fails_the_task_instead_of_trying_for_ever() {
    run.stop();
    run.start(Map.of("mysql.user", "nobody"));

    assertThatThrownBy(() -> run.readUntil(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("nobody")
        .hasMessageContaining(minion.host() + ":" + minion.port());
  }

  private void lose(Runnable loss) throws Exception {
    instance.insert(1, 30);
    run.readUntil(() -> run.log().cells().size() > 20);
    loss.run();
    instance.insert(1, 30);
    instance.insert(2, 30);
    var restart = CompletableFuture.runAsync(minion::restart);
    run.readUntil(restart::isDone);
    restart.join();

    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
  }

  private static void write(int shard, int transactions) {
    try {
      for (int i = 0; i < transactions; i++) {
        instance.insert(shard, 3);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
