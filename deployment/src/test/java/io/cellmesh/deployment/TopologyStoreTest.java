package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
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

  private static final Topology PROMOTED =
      TopologyYaml.parse(WRITTEN_BY_HAND.replace("epoch: 1", "epoch: 2"));

  @TempDir private Path directory;

  private Path file;
  private TopologyStore store;

  @BeforeEach
  void writeByHand() throws IOException {
    file = Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND);
    store = TopologyStore.ofFile(file);
  }

  @Test
  void a_file_of_ones_own_is_replaced_and_kept() throws IOException {
    store.write(PROMOTED);

    assertThat(store.read()).isEqualTo(PROMOTED);
    assertThat(directory.resolve("topology.yaml.before")).hasContent(WRITTEN_BY_HAND);
    assertThat(directory).isDirectoryNotContaining("glob:**.next");
  }

  @Test
  void where_a_link_is_named_the_file_that_it_leads_to_is_replaced() throws IOException {
    var link = Files.createSymbolicLink(directory.resolve("current.yaml"), file);

    TopologyStore.ofFile(link).write(PROMOTED);

    assertThat(link).isSymbolicLink();
    assertThat(store.read()).isEqualTo(PROMOTED);
    assertThat(directory.resolve("topology.yaml.before")).hasContent(WRITTEN_BY_HAND);
  }

  @Test
  void who_could_read_the_file_still_can() throws IOException {
    var rights = PosixFilePermissions.fromString("rw-rw-r--");
    Files.setPosixFilePermissions(file, rights);

    store.write(PROMOTED);

    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(rights);
  }

  @Test
  void a_file_that_can_not_be_written_is_told_before_anything_is_changed() throws IOException {
    store.requireWritable();
    assertThat(directory.toFile().list()).containsExactly("topology.yaml");

    // No file system takes a longer name, whoever asks for it.
    var longest = Files.copy(file, directory.resolve("t".repeat(250) + ".yaml"));

    assertThatThrownBy(TopologyStore.ofFile(longest)::requireWritable)
        .isInstanceOf(DeploymentException.class)
        .hasMessageStartingWith(longest + " can't be written: ");
  }

  @Test
  void one_that_is_gone_is_said_to_be_so() throws IOException {
    Files.delete(file);

    assertThatThrownBy(store::requireWritable)
        .hasMessageStartingWith(file + " can't be written: there is no such file. ");
  }

  @Test
  void of_two_commands_that_write_at_once_each_writes_a_whole_file() throws Exception {
    var read = store.read();

    var other = CompletableFuture.runAsync(() -> write(PROMOTED));
    write(read);
    other.join();

    assertThat(store.read()).isIn(read, PROMOTED);
    assertThat(directory.toFile().list())
        .containsExactlyInAnyOrder("topology.yaml", "topology.yaml.before");
  }

  private void write(Topology topology) {
    try {
      for (int i = 0; i < 200; i++) {
        store.requireWritable();
        store.write(topology);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
