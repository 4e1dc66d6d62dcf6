package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
  void debezium_still_tells_what_it_has_read() throws Exception {
    run.readUntilComplete();
    var beans = ManagementFactory.getPlatformMBeanServer();
    var streaming = new ObjectName("debezium.mysql:type=connector-metrics,context=streaming,*");
    var names = beans.queryNames(streaming, null);
    assertThat(names).hasSize(1);
    var name = names.iterator().next();
    assertThat((Long) beans.getAttribute(name, "TotalNumberOfCreateEventsSeen")).isPositive();
    assertThat((String) beans.getAttribute(name, "LastEvent")).contains(" from server ");
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
    assertThat(run.records().get(run.records().size() - 1).headers().lastWithName("rebuilt"))
        .as("what comes from the binlog behind a rebuild")
        .isNull();
  }

  @Test
  void what_a_rebuild_reads_is_stamped_and_nothing_else_is() throws Exception {
    run.readUntilComplete();
    int before = run.records().size();
    run.stop();
    run.alterOffset(Map.of("rebuild", "0-7"));
    run.start(Map.of());
    run.readUntil(() -> run.log().duplicates() == before);
    instance.insert(2, 20);
    run.readUntilComplete();

    assertThat(run.records())
        .extracting(record -> record.headers().lastWithName("rebuilt") != null)
        .isEqualTo(
            IntStream.range(0, 2 * before + 20)
                .mapToObj(i -> i >= before && i < 2 * before)
                .toList());
    assertThat(text(run.records().get(before), "rebuilt"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
  }

  @ParameterizedTest
  @EnumSource(ShardTopics.class)
  void a_columns_topic_has_exactly_the_logs_cells_of_it_in_their_order(ShardTopics shape)
      throws Exception {
    run.stop();
    run = new TaskRun(stack.topology("dc1"), instance);
    var settings = Map.of("trigger.columns", "STATUS", "shard.topics", shape.setting());
    run.start(settings);
    write(List.of(1, 5, 6));
    run.readUntil(() -> run.records().size() > 20);
    run.stop();
    run.start(settings);
    write(List.of(5, 1));
    run.readUntilComplete();
    assertThat(run.log().duplicates()).isZero();
    assertSameInBoth();

    run.stop();
    run.alterOffset(Map.of("rebuild", "0-7"));
    run.start(settings);
    var again = run.anotherReader();
    var rows = instance.rows();
    run.readUntil(() -> again.cells().size() >= rows.size());
    write(List.of(1));
    run.readUntilComplete();
    assertSameInBoth();
  }

  /** Each record of the column's topic stands right behind the log's, and no other does. */
  private void assertSameInBoth() {
    var expected = new ArrayList<String>();
    var found = new ArrayList<String>();
    for (var record : run.records()) {
      int shard = Integer.parseInt(text(record, "shard"));
      if (record.topic().startsWith("trips.log")) {
        found.add("log " + Samples.text(record));
        expected.add("log " + Samples.text(record));
        if (text(record, "column").equals("STATUS")) {
          expected.add("trips.trigger.STATUS-%d %s".formatted(shard % 4, Samples.text(record)));
        }
      } else {
        found.add(
            "%s-%d %s".formatted(record.topic(), record.kafkaPartition(), Samples.text(record)));
      }
    }
    assertThat(found).isEqualTo(expected).anyMatch(line -> line.startsWith("trips.trigger"));
  }

  private static String text(SourceRecord record, String header) {
    return new String(
        (byte[]) record.headers().lastWithName(header).value(), StandardCharsets.UTF_8);
  }

  /** Two columns in turn. */
  private static void write(List<Integer> shards) throws SQLException {
    for (int i = 0; i < 10; i++) {
      for (int shard : shards) {
        instance.insert(shard, 2, "STATUS");
        instance.insert(shard, 3, "BASE");
      }
    }
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
