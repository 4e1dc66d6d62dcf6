package io.cellmesh.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a stack is like, as far as it can be seen without a Docker engine. */
class LayoutTest {
  @ParameterizedTest
  @CsvSource({"16,4", "2,2", "9,3", "7,1", "4096,4"})
  void partitions_divide_any_number_of_shards(int shards, int partitions) {
    assertThat(Layout.of("trips", shards).shards()).isEqualTo(new Shards(shards, partitions));
  }

  @Test
  void one_shard_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Layout.of("trips", 1))
        .withMessage("shards: 1 is less than 2, one for each storage cluster");
  }

  @Test
  void its_files_are_a_deployment_whose_clusters_copy_to_each_other(@TempDir Path dir)
      throws IOException {
    var layout = Layout.of("rides", 9);
    Files.writeString(dir.resolve("reader"), "secret");
    Files.writeString(
        dir.resolve("topology.yaml"),
        TopologyYaml.write(layout.topology(name -> new Server(name, 3306, name))));
    Files.writeString(
        dir.resolve("cellmesh.yaml"),
        layout.deployment("localhost:9092", "http://localhost:8083", dir.toString()));

    var dc = Deployment.read(dir.resolve("cellmesh.yaml")).datacenters().get(0);

    assertThat(dc.topology().requireSecondaries().instance()).isEqualTo("rides");
    assertThat(dc.topology().clusters().get(1).shards()).hasToString("4-8");
    assertThat(dc.reader().password()).isEqualTo("secret");
  }

  @Test
  void images_are_those_of_the_environment_or_the_compose_file() throws IOException {
    var compose =
        Files.readString(Path.of(System.getProperty("cellmesh.home"), "docker-compose.yml"));
    var images = Images.of(Map.of("CELLMESH_CLI_IMAGE", "registry/cli:1"));

    assertThat(images.cli()).isEqualTo("registry/cli:1");
    assertThat(compose)
        .contains("${MYSQL_IMAGE:-" + images.mysql() + "}")
        .contains("${KAFKA_IMAGE:-" + images.kafka() + "}")
        .contains("image: " + images.connect().replace(":latest", "") + "\n");
  }

  @Test
  void a_stack_that_was_not_started_says_so() {
    try (var stack = new CellmeshStack()) {
      assertThatIllegalStateException()
          .isThrownBy(stack::bootstrapServers)
          .withMessage("the stack does not run; start() starts it");
    }
  }
}
