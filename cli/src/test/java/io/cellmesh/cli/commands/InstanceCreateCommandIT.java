package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.Captured;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code instance create} on servers that have started read-only, as the pages say. */
class InstanceCreateCommandIT {
  private static final String CLOSED = "SELECT @@GLOBAL.super_read_only";

  @TempDir Path dir;

  private DevStack stack;
  private Topology topology;

  @BeforeEach
  void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(2)
                .withInstance("trips", 2, 1)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    close("c1");
    close("c2");
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  @Test
  void masters_that_nobody_had_are_opened_once_and_none_while_one_is_another_servers_minion()
      throws Exception {
    var c2 = topology.cluster("c2");
    var turned =
        new StorageCluster("c2", c2.shards(), 1, c2.minions().get(0), List.of(c2.master()));
    var refused = create("trips", List.of(topology.cluster("c1"), turned));
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err())
        .contains(turned.master().address() + ", which the topology calls the master of c2")
        .contains("follows " + c2.master().address());
    assertThat(master("c1").query(CLOSED)).isEqualTo("1");

    var created = create("trips", topology.clusters());
    assertThat(created.exitCode()).as(created.err()).isZero();
    assertThat(created.out())
        .contains("c1: opened its master " + topology.cluster("c1").master().address())
        .contains("c2: opened its master");

    // From here on one that is closed may have been replaced, which only a promotion can tell.
    close("c1");
    assertThat(create("trips", topology.clusters()).exitCode()).as("found").isZero();
    var other = create("other", topology.clusters());
    assertThat(other.exitCode()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(other.err()).contains("the master of c1, is read-only", "cellmesh promote");
    assertThat(master("c1").query(CLOSED)).isEqualTo("1");
  }

  @Test
  void an_empty_server_in_a_lost_masters_place_is_not_made_one_that_lacks_every_cell()
      throws Exception {
    assertThat(create("trips", topology.clusters()).exitCode()).isZero();
    var c1 = topology.cluster("c1");
    var minion = stack.cluster("dc1", "c1").minions().get(0);
    assertThat(minion.catchesUpWith(master("c1"), Duration.ofSeconds(30))).isTrue();
    var drop =
        new ArrayList<>(List.of("SET SESSION sql_log_bin = OFF", "DROP DATABASE trips_meta"));
    c1.shards().stream().forEach(shard -> drop.add("DROP DATABASE trips_%04d".formatted(shard)));
    master("c1").execute(drop.toArray(String[]::new));
    close("c1");

    var refused = create("trips", topology.clusters());

    assertThat(refused.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(refused.err())
        .contains(c1.master().address() + ", the master of c1, lacks the instance")
        .contains("cellmesh promote --cluster c1 --to " + c1.minions().get(0).address());
    assertThat(master("c1").query(CLOSED)).isEqualTo("1");
  }

  private Captured create(String instance, List<StorageCluster> clusters) throws IOException {
    var file = dir.resolve("topology.yaml");
    var named = new Topology(instance, topology.shards(), topology.datacenter(), clusters);
    Files.writeString(file, TopologyYaml.write(named));
    return Captured.run("instance", "create", "--topology", file.toString());
  }

  private MySqlServer master(String cluster) {
    return stack.cluster("dc1", cluster).master();
  }

  private void close(String cluster) {
    master(cluster).execute("SET GLOBAL super_read_only = ON");
  }
}
