package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A person who runs servers of their own: with the topology's file, and with MySQL users that have
 * the rights which docs/operating.md names and no others.
 */
final class Operator {
  static final String REPLICATION = "cellmesh_replication";

  /** On one server alone. */
  static final String LOCALLY = "SET SESSION sql_log_bin = OFF";

  private static final String USER = "cellmesh_operator";

  private final FaultStack stack;

  /** MySQL allows the replication user's 32 characters. */
  private final String password = UUID.randomUUID().toString().substring(0, 24);

  private Operator(FaultStack stack) {
    this.stack = stack;
  }

  /** Makes the users on all masters. */
  static Operator of(FaultStack stack) throws IOException {
    var operator = new Operator(stack);
    for (var cluster : stack.clusters()) {
      operator.makeUsers(cluster.master(), cluster.name());
    }
    return operator;
  }

  static String revoke(String right) {
    return "REVOKE %s ON *.* FROM '%s'@'127.0.0.1'".formatted(right, USER);
  }

  static String grant(String right) {
    return "GRANT %s ON *.* TO '%s'@'127.0.0.1'".formatted(right, USER);
  }

  /** As `cellmesh grants --role operator` and `--role replication` print them. */
  private void makeUsers(MySqlServer server, String cluster) {
    var topology = stack.topology();
    for (var role : List.of(Role.OPERATOR, Role.REPLICATION)) {
      var account = new Account(role.user(), "127.0.0.1", false);
      var grants = new Grants(topology, List.of());
      server.execute(grants.of(role, account, topology.cluster(cluster)).toArray(String[]::new));
      server.execute(
          "ALTER USER %s IDENTIFIED BY '%s' ACCOUNT UNLOCK".formatted(account, password));
    }
  }

  /** Adds a minion on a machine of their own, whose mysqld nobody but them starts again. */
  void addMinion(String cluster) throws Exception {
    var server = stack.addServer(cluster);
    server.openMaster();
    makeUsers(server, cluster);
    var supervisor =
        CompletableFuture.runAsync(
            () -> {
              await().atMost(Duration.ofSeconds(60)).until(() -> !server.isAlive());
              server.start();
            });
    var added =
        run(
            "minion",
            "add",
            "--cluster",
            cluster,
            "--server",
            Roles.address(server),
            "--domain",
            "rack9");
    assertThat(added.exit()).as(added.out() + added.err()).isZero();
    supervisor.join();
    assertThat(stack.cluster(cluster).minions()).endsWith(server);
  }

  /** Runs a command that changes roles. */
  Command run(String... words) throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of(
            "--topology",
            stack.directory().resolve("topology-dc1.yaml").toString(),
            "--connect",
            stack.askedWorker().url(),
            "--user",
            USER,
            "--replication-user",
            REPLICATION));
    return Command.process(
        Map.of("CELLMESH_MYSQL_PASSWORD", password, "CELLMESH_REPLICATION_PASSWORD", password),
        all);
  }
}
