package io.cellmesh.storage.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master is lost that has sent its minion half of a transaction. */
class HalfTransactionIT {
  private static final int ROWS = 60;
  private static final int MEGABYTES = 8;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** As promotions have it: a server that hangs is not waited for. */
  private static final MySqlOptions IMPATIENT =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          2);

  @TempDir static Path dir;

  private DevStack stack;
  private MySqlServer master;
  private MySqlServer minion;

  @BeforeEach
  void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(1)
                .withoutKafka(),
            Progress.silent());
    master = stack.cluster("dc1", "c1").master();
    minion = stack.cluster("dc1", "c1").minions().get(0);
    master.openMaster();
    master.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, b LONGBLOB)");
    assertThat(minion.catchesUpWith(master, SOON)).isTrue();
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  /** Half a gigabyte goes through two binlogs and a relay log. */
  @Test
  @Tag("full")
  void the_minion_leaves_replication_all_the_same_and_has_nothing_of_it() throws SQLException {
    try (var writer = master.connect()) {
      writer.setAutoCommit(false);
      for (int i = 0; i < ROWS; i++) {
        execute(
            writer, "INSERT INTO d.t VALUES (%d, REPEAT('x', %d))".formatted(i, MEGABYTES << 20));
      }
      var before = received();
      writer.commit();
      await()
          .atMost(SOON)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> received() > before + (2L * MEGABYTES << 20));
    }
    minion.execute("STOP REPLICA IO_THREAD");
    master.kill();
    assertThat(received()).as("all of it is more").isLessThan((long) (ROWS - 5) * MEGABYTES << 20);

    try (var pools = new Pools(new Credentials("root", ""), IMPATIENT);
        var operator = pools.open(minion.server())) {
      Replication.detach(operator);
    }
    assertThat(minion.query("SELECT COUNT(*) FROM d.t")).isEqualTo("0");
  }

  private long received() throws SQLException {
    try (var connection = minion.connect();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SHOW REPLICA STATUS")) {
      row.next();
      return row.getLong("Relay_Log_Space");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
