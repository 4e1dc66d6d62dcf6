package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.dist.SparseCopy;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Run;
import io.cellmesh.e2e.log.WholeLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A server that comes back from a physical backup, under the server_uuid that it had. */
final class RestoredServer {
  private static final Duration BACK = Duration.ofSeconds(60);
  private static final Duration SETTLED = Duration.ofSeconds(60);
  private static final int REFUSED = 1;

  private final FaultStack stack;

  RestoredServer(FaultStack stack) {
    this.stack = stack;
  }

  /** It is not opened, is left out when its minion takes over, and is made anew. */
  void asTheMaster() throws Exception {
    var c1 = new Roles(stack, "c1");
    var restored = c1.master();
    var minion = c1.minion(0);
    int epoch = c1.epoch();
    try (var run = Run.begin(stack, "master from a backup")) {
      var backup = backup(restored);
      stack.bringBack(restored);
      run.awaitCaughtUp(BACK, "c1");
      run.flow(Duration.ofSeconds(2));
      assertThat(minion.catchesUpWith(restored, BACK)).isTrue();
      restore(restored, backup);

      var refused = refused(c1, restored);
      assertThat(refused)
          .contains(Roles.address(restored) + " is the master by the topology, but lacks")
          .contains("its minion " + Roles.address(minion) + " has")
          .contains("`cellmesh promote --cluster c1 --to " + Roles.address(minion) + "`");
      run.report("%s", refused);
      minion.kill();
      assertThat(refused(c1, restored)).contains("the log has shown", "auto.cnf");
      assertThat(restored.query("SELECT @@GLOBAL.super_read_only")).isEqualTo("1");
      assertThat(c1.epoch()).isEqualTo(epoch);
      assertThat(c1.master()).isSameAs(restored);

      minion.start();
      minion.awaitReady();
      assertThat(status()).contains("so it was restored from a backup: run `cellmesh promote");
      assertThat(c1.promote(minion).out())
          .contains(Roles.address(restored) + " is out of the topology", "restored from a backup");
      assertThat(stack.cluster("c1").minions()).isEmpty();
      run.awaitCaughtUp(BACK, "c1", "c2", "c3");
      followsWithoutAnError(restored, minion);
      c1.addMinion("--server", Roles.address(restored), "--overwrite");
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  /** That is why it must not stay a minion: MySQL passes over what bears its own server_id. */
  private static void followsWithoutAnError(MySqlServer restored, MySqlServer master) {
    restored.replicateFrom(master);
    var later = master.query("SELECT CONCAT(@@server_uuid, ':1')");
    await("it has what came after the gap")
        .atMost(BACK)
        .until(
            () ->
                restored
                    .query("SELECT GTID_SUBSET('%s', @@GLOBAL.gtid_executed)".formatted(later))
                    .equals("1"));
    assertThat(restored.catchesUpWith(master, Duration.ofSeconds(2))).isFalse();
    restored.stopReplica();
  }

  /** It is not promoted, whether the master lives or not, and the master goes on. */
  void asAMinionThatFollowsNobody() throws Exception {
    var c2 = new Roles(stack, "c2");
    var master = c2.master();
    var restored = c2.minion(0);
    int epoch = c2.epoch();
    try (var run = Run.begin(stack, "minion from a backup")) {
      restored.stopReplica();
      var backup = backup(restored);
      restored.start();
      restored.awaitReady();
      restored.replicateFrom(master);
      run.flow(Duration.ofSeconds(2));
      assertThat(restored.catchesUpWith(master, BACK)).isTrue();
      restore(restored, backup);

      var refused = refused(c2, restored);
      assertThat(refused)
          .contains(Roles.address(restored) + " lacks", "that the master " + Roles.address(master))
          .contains("follows nobody")
          .contains("`cellmesh minion add --cluster c2 --server " + Roles.address(restored) + "`");
      run.report("%s", refused);
      assertThat(master.query("SELECT @@GLOBAL.read_only")).as("never fenced").isEqualTo("0");
      run.awaitCaughtUp(BACK, "c2");
      master.kill();
      assertThat(refused(c2, restored)).contains("whose cells the log has shown");
      assertThat(c2.epoch()).isEqualTo(epoch);
      assertThat(c2.master()).isSameAs(master);
      stack.bringBack(master);
      c2.addMinion("--server", Roles.address(restored));
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  private static String refused(Roles cluster, MySqlServer to) {
    var said = cluster.attempt(to);
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(REFUSED);
    return said.err();
  }

  private String status() {
    Command status = stack.command("status");
    return status.out() + status.err();
  }

  /** Stops it, so that its files are of one moment, and copies them. */
  private static Path backup(MySqlServer server) throws IOException {
    server.stop();
    var backup = server.dataDir().resolveSibling("backup");
    SparseCopy.directory(server.dataDir(), backup, file -> true);
    return backup;
  }

  /** Puts the copy in the place of its files and starts it; auto.cnf is among them. */
  private static void restore(MySqlServer server, Path backup) throws IOException {
    server.stop();
    var data = server.dataDir();
    Files.move(data, data.resolveSibling("lost"));
    Files.move(backup, data);
    server.start();
    server.awaitReady();
  }
}
