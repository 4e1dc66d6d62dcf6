package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The task against a real master and its minion; the test plays Connect. */
class CellSourceTaskIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** It prints what it does, by itself. */
  private static final Logger BINLOG_CLIENT = Logger.getLogger("com.github.shyiko");

  @TempDir static Path dir;

  private static DevStack stack;
  private static MySqlServer master;
  private static MySqlServer minion;
  private static InstanceFixture instance;

  private final FakeTaskContext connect = new FakeTaskContext();
  private final LogReader log = new LogReader();
  private CellSourceTask task;

  @BeforeAll
  static void startMySql() throws SQLException {
    BINLOG_CLIENT.setLevel(Level.WARNING);
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withInstance("trips", 8, 4)
                .withDatacenters(1)
                .withClusters(1)
                .withoutKafka(),
            Progress.silent());
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
    task = new CellSourceTask();
    task.initialize(connect);
    task.start(settings("minion"));
  }

  @AfterEach
  void stopTask() {
    task.stop();
  }

  @Test
  void a_new_connector_brings_every_cell_since_the_instances_creation() throws Exception {
    instance.insert(0, 20);
    instance.insert(7, 1);

    readUntilComplete();
    assertThat(log.duplicates()).isZero();
  }

  @Test
  void cells_of_one_shard_keep_the_order_of_their_commits() throws Exception {
    var writers =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> write(1, 40)),
            CompletableFuture.runAsync(() -> write(2, 40)));

    readUntil(writers::isDone);
    writers.join();
    readUntilComplete();
  }

  @Test
  void a_restarted_task_goes_on_within_the_transaction_that_connect_has_stored() throws Exception {
    instance.insert(4, 50);
    readUntil(() -> log.cells().size() > 10);
    task.stop();
    startTask();

    readUntilComplete();
    assertThat(log.duplicates()).isZero();
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
    readUntilComplete();
    minion.pause();
    instance.insert(5, 30);
    read(new LogReader());
    minion.resume();

    readUntilComplete();
    assertThat(log.duplicates()).isZero();
  }

  @Test
  void the_master_can_be_read_instead_and_goes_on_where_the_minion_was() throws Exception {
    readUntilComplete();
    task.stop();
    instance.insert(6, 10);
    restartTask(settings("master"));

    readUntilComplete();
    assertThat(log.duplicates()).isZero();
  }

  @Test
  void a_changed_row_does_not_enter_the_log_and_stops_nothing() throws Exception {
    readUntilComplete();
    int before = log.cells().size();
    master.execute("UPDATE trips_0003.entity SET origin = 'elsewhere' LIMIT 1");
    instance.insert(3, 1);

    readUntilComplete();
    assertThat(log.cells()).hasSize(before + 1);
    assertThat(log.duplicates()).isZero();
  }

  @Test
  void a_rebuild_writes_every_cell_again_in_order_and_goes_on_with_the_binlog() throws Exception {
    readUntilComplete();
    task.stop();
    connect.store(Map.of("rebuild", "0-7"));
    startTask();
    var again = new LogReader();
    instance.insert(2, 40);
    readUntil(() -> log.duplicates() > 20, again);
    task.stop();
    startTask();
    instance.insert(7, 10);

    var rows = instance.rows();
    readUntil(() -> again.cells().size() >= rows.size(), again);
    assertThat(again.cells()).isEqualTo(rows);
    assertThat(log.cells()).isEqualTo(rows);
    instance.insert(0, 1);
    readUntilComplete();
  }

  @Test
  void the_master_is_read_while_the_minion_is_gone_and_the_minion_once_it_is_back()
      throws Exception {
    var settings = settings("minion");
    settings.put("read.master.after.ms", "1000");
    readUntilComplete();
    restartTask(settings);
    minion.kill();
    instance.insert(1, 30);
    readUntilComplete();
    minion.restart();
    instance.insert(1, 30);
    readUntilComplete();
    long reread = System.nanoTime() + Duration.ofSeconds(12).toNanos();
    readUntil(() -> System.nanoTime() > reread);
    instance.insert(1, 30);
    readUntilComplete();

    assertThat(log.duplicates()).isZero();
  }

  @Test
  void binlogs_that_only_the_minion_has_purged_are_read_from_the_master() throws Exception {
    readUntilComplete();
    task.stop();
    instance.insert(4, 20);
    awaitMinion();
    purge(minion);
    startTask();

    readUntilComplete();
    assertThat(log.duplicates()).isZero();
  }

  @Test
  void binlogs_that_nobody_has_stop_the_task_and_a_rebuild_brings_the_cells() throws Exception {
    readUntilComplete();
    task.stop();
    instance.insert(4, 20);
    awaitMinion();
    purge(master);
    purge(minion);
    startTask();

    assertThatThrownBy(() -> readUntil(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("has purged")
        .hasMessageContaining("cellmesh log rebuild --cluster c1");
    task.stop();
    connect.store(Map.of("rebuild", "0-7"));
    startTask();
    instance.insert(4, 20);
    readUntilComplete();
  }

  @Test
  void a_user_without_rights_fails_the_task_instead_of_trying_for_ever() {
    var settings = settings("minion");
    settings.put("mysql.user", "nobody");
    restartTask(settings);

    assertThatThrownBy(() -> readUntil(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("nobody")
        .hasMessageContaining(minion.host() + ":" + minion.port());
  }

  private void lose(Runnable loss) throws Exception {
    instance.insert(1, 30);
    readUntil(() -> log.cells().size() > 20);
    loss.run();
    instance.insert(1, 30);
    instance.insert(2, 30);
    var restart = CompletableFuture.runAsync(minion::restart);
    readUntil(restart::isDone);
    restart.join();

    readUntilComplete();
    assertThat(log.duplicates()).isZero();
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

  private void readUntilComplete() throws IOException, InterruptedException, SQLException {
    var rows = instance.rows();
    readUntil(() -> log.cells().size() >= rows.size());
    assertThat(log.cells()).isEqualTo(rows);
  }

  private void readUntil(BooleanSupplier done) throws IOException, InterruptedException {
    readUntil(done, new LogReader());
  }

  /** Another reader begins with what comes from now on. */
  private void readUntil(BooleanSupplier done, LogReader another)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is up, %s", log.cells().size()).isLessThan(end);
      read(another);
    }
  }

  private void read(LogReader another) throws IOException, InterruptedException {
    var records = task.poll();
    if (records != null) {
      for (var record : records) {
        if (!record.topic().equals("trips.heartbeat")) {
          log.take((byte[]) record.value());
          another.take((byte[]) record.value());
        }
        connect.store(record);
      }
    }
  }

  private void restartTask(Map<String, String> settings) {
    task.stop();
    task = new CellSourceTask();
    task.initialize(connect);
    task.start(settings);
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
        .until(
            () -> {
              server.execute(
                  "FLUSH BINARY LOGS", "PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY");
              return server.query(purged).equals("1");
            });
  }

  private static Map<String, String> settings(String readFrom) {
    var settings = Samples.settings("read.from", readFrom);
    settings.put("topology", TopologyYaml.write(stack.topology("dc1")));
    settings.put("mysql.user", "root");
    settings.put("mysql.password", "");
    return settings;
  }
}
