package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Disk;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.storage.Pools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real mysqld whose disk is really full. */
class FullDiskIT {
  @TempDir private Path dir;

  @BeforeAll
  static void disks_can_be_made_here() {
    var missing = Disk.missing();
    assumeTrue(missing.isEmpty(), missing.orElse(""));
  }

  @Test
  void a_master_whose_disk_is_full_is_down_with_its_reason() throws Exception {
    var options =
        Options.defaults()
            .withStateDir(dir)
            .withDatacenters(1)
            .withClusters(1)
            .withMinions(0)
            .withoutKafka()
            .withDisks(1024);
    try (var stack = DevStack.start(options, Progress.silent());
        var pools = new Pools(dc(stack).operator())) {
      var master = stack.clusters("dc1").get(0).master();
      master.execute("CREATE DATABASE room", "CREATE TABLE room.t (id INT PRIMARY KEY, text TEXT)");
      var status = new ServerStatus(pools);
      assertThat(master(status, stack)).returns(true, Part::up);

      stack.disk(master).fill();
      var written = CompletableFuture.supplyAsync(() -> write(master));
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(master(status, stack))
                      .returns(false, Part::up)
                      .extracting(Part::detail)
                      .asString()
                      .contains("commits nothing for", "disk is full"));
      // Else the commit that waits looks for room in a minute at the latest.
      master.kill();
      assertThat(written).succeedsWithin(Duration.ofSeconds(20));
    }
  }

  /** Writes until a commit has waited. */
  private static boolean write(MySqlServer master) {
    for (int id = 0; ; id++) {
      long begun = System.nanoTime();
      try {
        master.execute("INSERT INTO room.t VALUES (" + id + ", REPEAT('x', 3000))");
      } catch (DevStackException e) {
        // The table can't grow; the next may find a place in a page that is there.
      }
      if (System.nanoTime() - begun > Duration.ofSeconds(9).toNanos()) {
        return true;
      }
    }
  }

  private static Part master(ServerStatus status, DevStack stack) {
    return status.of(dc(stack)).get(0);
  }

  private static DataCenter dc(DevStack stack) {
    return BareDataCenter.of("dc1", stack.topology("dc1"), "127.0.0.1:1");
  }
}
