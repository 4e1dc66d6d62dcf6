package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.Captured;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code instance upgrade} on the masters of two clusters, one of which has old tables. */
class InstanceUpgradeCommandIT {
  @TempDir Path dir;

  private DevStack stack;
  private Topology topology;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(2)
                .withMinions(0)
                .withInstance("trips", 2, 1)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    file = Files.writeString(dir.resolve("topology.yaml"), TopologyYaml.write(topology));
    try (var pools = new Pools(new Credentials("root", ""))) {
      for (var cluster : topology.clusters()) {
        new InstanceSchema(topology, pools).create(cluster, made -> {});
      }
    }
    stack
        .cluster("dc1", "c2")
        .master()
        .execute("ALTER TABLE trips_meta.instance DROP COLUMN schema_version, DROP COLUMN made_by");
    stack.cluster("dc1", "c2").master().execute("DROP TABLE trips_meta.conflict");
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  @Test
  void a_dry_run_says_what_is_missing_and_changes_nothing_and_an_upgrade_is_done_once() {
    assertThat(run("--dry-run").out())
        .contains("c1: up to date")
        .contains("c2: version 2, with a ledger of conflicts, and the version itself (not done)");
    assertThat(create().err()).contains("run `cellmesh instance upgrade --topology FILE`");
    assertThat(create().exitCode()).isEqualTo(ExitCodes.USAGE);

    var upgraded = run();

    assertThat(upgraded.exitCode()).isEqualTo(ExitCodes.OK);
    assertThat(upgraded.out()).contains("c2: version 2, with a ledger").doesNotContain("not done");
    assertThat(run().out()).contains("c1: up to date").contains("c2: up to date");
    assertThat(create().exitCode()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void a_server_that_takes_no_writes_is_named_before_anything_is_changed() {
    stack.cluster("dc1", "c1").master().execute("SET GLOBAL super_read_only = ON");
    var refused = run();
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(refused.err())
        .contains(topology.cluster("c1").master().address())
        .contains("is read-only: tables are upgraded on masters alone");
    assertThat(run("--dry-run").exitCode()).isEqualTo(ExitCodes.ENVIRONMENT);
    stack.cluster("dc1", "c1").master().execute("SET GLOBAL read_only = OFF");
    assertThat(run("--dry-run").out()).contains("(not done)");
  }

  private Captured run(String... more) {
    var args = new String[4 + more.length];
    args[0] = "instance";
    args[1] = "upgrade";
    args[2] = "--topology";
    args[3] = file.toString();
    System.arraycopy(more, 0, args, 4, more.length);
    return Captured.run(args);
  }

  private Captured create() {
    return Captured.run("instance", "create", "--topology", file.toString());
  }
}
