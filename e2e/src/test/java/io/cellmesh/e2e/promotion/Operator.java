package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final String HOST_OF_THE_PAGE = "'@'10.0.%'";

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
      operator.makeUsers(cluster.master());
    }
    return operator;
  }

  static String revoke(String right) {
    return "REVOKE %s ON *.* FROM '%s'@'127.0.0.1'".formatted(right, USER);
  }

  static String grant(String right) {
    return "GRANT %s ON *.* TO '%s'@'127.0.0.1'".formatted(right, USER);
  }

  private void makeUsers(MySqlServer server) throws IOException {
    server.execute(statements());
  }

  private String[] statements() throws IOException {
    var page = Files.readString(StateDirectory.home().resolve("docs/operating.md"));
    var block = page.split("<!-- rights: run by PromotionIT -->\n```sql\n")[1].split("```")[0];
    return Arrays.stream(block.replaceAll("(?m)^--.*$", "").split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .map(statement -> statement.replace(HOST_OF_THE_PAGE, "'@'127.0.0.1'"))
        .map(statement -> statement.replace("'…'", "'" + password + "'"))
        .toArray(String[]::new);
  }

  /** Adds a minion on a machine of their own, whose mysqld nobody but them starts again. */
  void addMinion(String cluster) throws Exception {
    var server = stack.addServer(cluster);
    server.openMaster();
    makeUsers(server);
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
