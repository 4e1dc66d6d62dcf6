package io.cellmesh.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.operations.topology.TopologyRollout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    var promoted = promoted(home.read(), "c1");

    home.write(promoted);

    assertThat(home.read()).isEqualTo(promoted);
    assertThat(directory.resolve("topology.yaml.before")).hasContent(WRITTEN_BY_HAND);
    assertThat(directory).isDirectoryNotContaining("glob:**.next");
  }

  @Test
  void who_could_read_the_file_still_can() throws IOException {
    var file = Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND);
    var rights = PosixFilePermissions.fromString("rw-rw-r--");
    Files.setPosixFilePermissions(file, rights);
    var home = TopologyStore.ofFile(file);

    home.write(promoted(home.read(), "c1"));

    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(rights);
  }

  @Test
  void a_file_that_can_not_be_written_is_told_before_anything_is_changed() throws IOException {
    var file = Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND);
    var home = TopologyStore.ofFile(file);
    home.requireWritable();
    assertThat(directory.toFile().list()).containsExactly("topology.yaml");

    Files.createDirectories(directory.resolve("topology.yaml.probe/in-the-way"));

    assertThatThrownBy(home::requireWritable)
        .isInstanceOf(DeploymentException.class)
        .hasMessageStartingWith(file + " can't be written: ");
  }

  @Test
  void what_another_command_has_written_of_another_cluster_meanwhile_stays() throws IOException {
    var file =
        Files.writeString(
            directory.resolve("topology.yaml"),
            """
            instance: trips
            shards: 4
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://db1:3306"}, minions: [{url: "mysql://db2:3306"}]}
              - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://db3:3306"}, minions: [{url: "mysql://db4:3306"}]}
            """);
    var home = TopologyStore.ofFile(file);
    var read = home.read();

    TopologyRollout.write(home, promoted(read, "c1").cluster("c1"));
    TopologyRollout.write(home, promoted(read, "c2").cluster("c2"));

    assertThat(home.read()).isEqualTo(promoted(promoted(read, "c1"), "c2"));
  }

  @Test
  void of_two_commands_that_write_at_once_each_writes_a_whole_file() throws Exception {
    var file = Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND);
    var home = TopologyStore.ofFile(file);
    var read = home.read();
    var promoted = promoted(read, "c1");

    var other = CompletableFuture.runAsync(() -> write(home, promoted));
    write(home, read);
    other.join();

    assertThat(home.read()).isIn(read, promoted);
    assertThat(directory.toFile().list())
        .containsExactlyInAnyOrder("topology.yaml", "topology.yaml.before");
  }

  private static void write(TopologyStore store, Topology topology) {
    try {
      for (int i = 0; i < 200; i++) {
        store.write(topology);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Topology promoted(Topology topology, String name) {
    var before = topology.cluster(name);
    return ServerInquiry.with(
        topology, new StorageCluster(name, before.shards(), 2, before.minions().get(0), List.of()));
  }
}
