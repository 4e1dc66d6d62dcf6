package io.cellmesh.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.topology.ServerInquiry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyStoreTest {
  private static final String WRITTEN_BY_HAND =
      """
      # ours
      instance: trips
      shards: 4
      partitions: 2
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://db1:3306"}, minions: [{url: "mysql://db2:3306"}]}
      """;

  @TempDir private Path directory;

  @Test
  void a_file_of_ones_own_is_replaced_and_kept() throws IOException {
    var file = Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND);
    var home = TopologyStore.ofFile(file);
    var promoted = promoted(home.read());

    home.write(promoted);

    assertThat(home.read()).isEqualTo(promoted);
    assertThat(directory.resolve("topology.yaml.before")).hasContent(WRITTEN_BY_HAND);
    assertThat(directory).isDirectoryNotContaining("glob:**.next");
  }

  private static Topology promoted(Topology topology) {
    var c1 = topology.cluster("c1");
    return ServerInquiry.with(
        topology, new StorageCluster("c1", c1.shards(), 2, c1.minions().get(0), List.of()));
  }
}
