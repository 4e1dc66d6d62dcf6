package io.cellmesh.storage.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.Pools;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server is closed by somebody with few rights, while others write. */
class FenceIT {
  @TempDir static Path dir;

  private static DevStack stack;
  private static MySqlServer server;
  private static Pools pools;

  @BeforeAll
  static void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(0)
                .withoutKafka(),
            Progress.silent());
    server = stack.cluster("dc1", "c1").master();
    server.execute(
        "CREATE DATABASE d",
        "CREATE TABLE d.t (id INT PRIMARY KEY)",
        "CREATE USER 'writer'@'127.0.0.1' IDENTIFIED BY 'w'",
        "GRANT INSERT ON d.* TO 'writer'@'127.0.0.1'",
        "CREATE USER 'operator'@'127.0.0.1' IDENTIFIED BY 'o'",
        "GRANT SYSTEM_VARIABLES_ADMIN, CONNECTION_ADMIN, PROCESS ON *.* TO 'operator'@'127.0.0.1'");
    pools = new Pools(new Credentials("operator", "o"));
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @Test
  void what_is_under_way_is_not_committed_whoever_began_it() throws SQLException {
    server.openMaster();
    try (var writer = new Pools(new Credentials("writer", "w"));
        var written = writer.open(server.server());
        var mighty = server.connect();
        var operator = pools.open(server.server())) {
      begin(written, 1);
      begin(mighty, 2);

      Replication.fence(operator);

      assertThatThrownBy(() -> execute(written, "COMMIT")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> execute(mighty, "COMMIT")).hasMessageContaining("super-read-only");
    }
    assertThat(server.query("SELECT COUNT(*) FROM d.t")).isEqualTo("0");
  }

  private static void begin(Connection connection, int id) throws SQLException {
    execute(connection, "START TRANSACTION");
    execute(connection, "INSERT INTO d.t VALUES (" + id + ")");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
