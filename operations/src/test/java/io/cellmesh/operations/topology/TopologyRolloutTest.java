package io.cellmesh.operations.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyRolloutTest {
  private static final String WRITTEN_BY_HAND =
      """
      instance: trips
      shards: 4
      partitions: 2
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://db1:3306"}, minions: [{url: "mysql://db2:3306"}]}
        - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://db3:3306"}, minions: [{url: "mysql://db4:3306"}]}
      """;

  @TempDir private Path directory;

  @Test
  void what_another_command_has_written_of_another_cluster_meanwhile_stays() throws IOException {
    var store = store();
    var read = store.read();

    TopologyRollout.write(store, promoted(read, "c1").cluster("c1"));
    TopologyRollout.write(store, promoted(read, "c2").cluster("c2"));

    assertThat(store.read()).isEqualTo(promoted(promoted(read, "c1"), "c2"));
  }

  @Test
  void a_plan_for_a_cluster_that_another_command_has_changed_since_is_not_carried_out()
      throws IOException {
    var store = store();
    var read = store.read();
    TopologyRollout.requireUnchanged(store, read.cluster("c1"));

    TopologyRollout.write(store, promoted(read, "c1").cluster("c1"));

    assertThatThrownBy(() -> TopologyRollout.requireUnchanged(store, read.cluster("c1")))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("another command has changed c1 since this one looked at it");
    TopologyRollout.requireUnchanged(store, read.cluster("c2"));
  }

  private TopologyStore store() throws IOException {
    return TopologyStore.ofFile(
        Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND));
  }

  private static Topology promoted(Topology topology, String name) {
    var before = topology.cluster(name);
    return ServerInquiry.with(
        topology, new StorageCluster(name, before.shards(), 2, before.minions().get(0), List.of()));
  }
}
