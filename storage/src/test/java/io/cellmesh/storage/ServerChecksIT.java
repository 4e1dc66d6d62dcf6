package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.ServerFinding.Severity;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks against a real master and a real minion, which are changed while they run. */
class ServerChecksIT {
  @TempDir static Path dir;

  private static DevStack stack;
  private static StorageCluster cluster;
  private static Pools pools;

  private final ServerChecks checks = new ServerChecks(Severity.REFUSE, 1 << 20);

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
    cluster = stack.topology("dc1").cluster("c1");
    pools = new Pools(new Credentials("root", ""));
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @Test
  void the_servers_of_a_stack_are_as_they_should_be() throws SQLException {
    assertThat(check(cluster.master())).isEmpty();
    assertThat(check(minion())).isEmpty();
  }

  @Test
  void a_master_that_does_not_flush_its_binlog_is_refused() throws SQLException {
    stack.cluster("dc1", "c1").master().execute("SET GLOBAL sync_binlog = 0");
    try {
      assertThat(check(cluster.master()))
          .singleElement()
          .matches(ServerFinding::refused)
          .asString()
          .startsWith(
              "c1 master (" + cluster.master().address() + "): sync_binlog is 0; set it to 1");
    } finally {
      stack.cluster("dc1", "c1").master().execute("SET GLOBAL sync_binlog = 1");
    }
  }

  @Test
  void a_filter_on_a_minion_is_refused() throws SQLException {
    var server = stack.cluster("dc1", "c1").minions().get(0);
    server.execute(
        "STOP REPLICA SQL_THREAD",
        "CHANGE REPLICATION FILTER REPLICATE_WILD_IGNORE_TABLE = ('trips_0001.%')",
        "START REPLICA SQL_THREAD");
    try {
      assertThat(check(minion()))
          .singleElement()
          .matches(ServerFinding::refused)
          .asString()
          .contains("replicate_wild_ignore_table is \"trips_0001.%\"; remove the filter");
    } finally {
      server.execute(
          "STOP REPLICA SQL_THREAD",
          "CHANGE REPLICATION FILTER REPLICATE_WILD_IGNORE_TABLE = ()",
          "START REPLICA SQL_THREAD");
    }
  }

  @Test
  void a_user_who_may_not_see_filters_is_told_which_privilege_is_missing() throws SQLException {
    stack
        .cluster("dc1", "c1")
        .master()
        .execute("CREATE USER plain IDENTIFIED WITH caching_sha2_password BY 'secret'");
    try (var plain = new Pools(new Credentials("plain", "secret"));
        var connection = plain.open(cluster.master())) {
      assertThat(checks.check(connection, cluster, cluster.master()))
          .singleElement()
          .matches(finding -> !finding.refused())
          .asString()
          .contains("REPLICATION CLIENT");
    }
  }

  private List<ServerFinding> check(Server server) throws SQLException {
    try (var connection = pools.open(server)) {
      return checks.check(connection, cluster, server);
    }
  }

  private static Server minion() {
    return cluster.minions().get(0);
  }
}
