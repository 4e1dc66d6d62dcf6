package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.SharedMasters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One server and its breakers, with a pool of a single connection. */
class NodeIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final MySqlServer server = SharedMasters.stack().cluster("dc1", "c1").master();
  private Nodes nodes;
  private Node node;

  @BeforeEach
  void start() {
    var options =
        new MySqlOptions(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(15),
            1);
    nodes = new Nodes(new Pools(new Credentials("root", ""), options));
    node = nodes.of(server.server());
    server.execute(
        "CREATE DATABASE IF NOT EXISTS node_it",
        "CREATE TABLE IF NOT EXISTS node_it.t (id INT PRIMARY KEY)",
        "DELETE FROM node_it.t");
  }

  @AfterEach
  void stop() {
    nodes.close();
    server.execute("DROP DATABASE node_it");
  }

  @Test
  void a_connection_with_an_open_transaction_is_used_by_nobody_else_whatever_ended_the_work()
      throws Exception {
    assertThatThrownBy(() -> node.call(c -> leftOpen(c, 1, new OutOfMemoryError("no heap"))))
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> node.call(c -> leftOpen(c, 2, new IllegalStateException("a defect"))))
        .isInstanceOf(IllegalStateException.class);
    node.call(c -> leftOpen(c, 3, null));
    assertThatThrownBy(
            () ->
                node.call(
                    c -> {
                      leftOpen(c, 4, null);
                      return execute(c, "SELECT nothing");
                    }))
        .isInstanceOf(SQLException.class);
    // Seen by a transaction that was left open, and gone with it.
    assertThat(rows()).isZero();
    await().atMost(SOON).until(() -> rowsOfAnybody() == 0);
  }

  @Test
  void a_read_that_was_in_the_way_of_others_is_repeated() throws Exception {
    var attempts = new AtomicInteger();
    int answer =
        node.read(
            c -> {
              if (attempts.incrementAndGet() < 3) {
                // 1317
                execute(c, "KILL QUERY CONNECTION_ID()");
              }
              return attempts.get();
            });
    assertThat(answer).isEqualTo(3);
  }

  @Test
  void a_lock_that_stays_is_no_reason_to_leave_the_server_alone() throws Exception {
    try (var session = server.connect()) {
      session.setAutoCommit(false);
      execute(session, "INSERT INTO node_it.t VALUES (7)");
      assertThatThrownBy(() -> node.write(c -> execute(c, "INSERT INTO node_it.t VALUES (7)")))
          .isInstanceOf(NodeUnavailableException.class)
          .hasMessageContaining("Lock wait timeout");
      assertThat(node.writable()).isTrue();
      session.rollback();
    }
    node.write(c -> execute(c, "INSERT INTO node_it.t VALUES (7)"));
  }

  @Test
  void a_pool_whose_connections_are_all_in_use_is_no_dead_server() throws Exception {
    var taken = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    var holder =
        CompletableFuture.runAsync(
            () -> {
              try {
                node.call(
                    c -> {
                      taken.countDown();
                      join(over);
                      return null;
                    });
              } catch (SQLException | NodeUnavailableException e) {
                throw new IllegalStateException(e);
              }
            });
    taken.await();
    assertThatThrownBy(() -> node.call(c -> execute(c, "SELECT 1")))
        .isInstanceOf(NodeUnavailableException.class)
        .hasMessageContaining("all 1 connections to it are in use");
    assertThat(node.healthy()).isTrue();
    over.countDown();
    holder.join();
    node.call(c -> execute(c, "SELECT 1"));
  }

  @Test
  void a_read_only_server_is_read_and_left_alone_by_who_writes_until_it_is_opened()
      throws Exception {
    server.execute("SET GLOBAL super_read_only = ON");
    try {
      assertThatThrownBy(() -> node.write(c -> execute(c, "INSERT INTO node_it.t VALUES (1)")))
          .isInstanceOf(NodeUnavailableException.class);
      // Several probes long.
      await()
          .during(Duration.ofSeconds(3))
          .atMost(SOON)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !node.writable() && node.healthy());
      assertThatThrownBy(() -> node.write(c -> execute(c, "INSERT INTO node_it.t VALUES (1)")))
          .hasMessageContaining("left alone until it takes writes again");
      assertThat(rows()).isZero();
    } finally {
      server.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
    }
    await().atMost(SOON).until(node::writable);
    node.write(c -> execute(c, "INSERT INTO node_it.t VALUES (1)"));
  }

  private static Void leftOpen(Connection connection, int id, Throwable end) throws SQLException {
    execute(connection, "START TRANSACTION");
    execute(connection, "INSERT INTO node_it.t VALUES (" + id + ")");
    if (end instanceof Error error) {
      throw error;
    }
    if (end instanceof RuntimeException exception) {
      throw exception;
    }
    return null;
  }

  private int rows() throws Exception {
    return node.call(
        c -> {
          try (var statement = c.createStatement();
              var row = statement.executeQuery("SELECT COUNT(*) FROM node_it.t")) {
            row.next();
            return row.getInt(1);
          }
        });
  }

  /** Also those that are not committed. */
  private int rowsOfAnybody() {
    return Integer.parseInt(
        server.query(
            "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_rows_modified > 0"));
  }

  private static void join(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
      return null;
    }
  }
}
