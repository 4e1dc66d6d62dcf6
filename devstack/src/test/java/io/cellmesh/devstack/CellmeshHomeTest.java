package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same parts are found in a checkout and in an unpacked archive. */
class CellmeshHomeTest {
  @TempDir Path home;

  @Test
  void a_checkout_has_each_part_where_its_module_was_built() throws IOException {
    Files.createFile(home.resolve("mvnw"));
    var jar = touch("index-streams/target/app/cellmesh-index-streams-0.1.0.jar");
    touch("index-streams/target/app/kafka-streams-4.3.1.jar");

    assertThat(CellmeshHome.application(home, "index-streams")).isEqualTo(jar);
    assertThat(CellmeshHome.plugins(home))
        .containsExactly(
            home.resolve("connect-sink/target/plugin"),
            home.resolve("connect-source/target/plugin"));
  }

  @Test
  void the_version_of_kafka_is_that_of_its_server_not_of_the_clients_beside_it()
      throws IOException {
    touch("kafka-clients-4.3.1.jar");
    touch("kafka-server-common-4.3.1.jar");
    assertThatThrownBy(() -> CellmeshHome.kafkaVersion(home))
        .hasMessageEndingWith("has no kafka-server");

    touch("kafka-server-4.1.2.jar");
    assertThat(CellmeshHome.kafkaVersion(home)).isEqualTo("4.1.2");
  }

  @Test
  void an_archive_has_all_jars_in_one_directory_and_all_plugins_in_another() throws IOException {
    var jar = touch("lib/cellmesh-herb-replicator-0.1.0.jar");
    touch("lib/cellmesh-cli-0.1.0.jar");

    assertThat(CellmeshHome.application(home, "herb-replicator")).isEqualTo(jar);
    assertThat(CellmeshHome.classPath(jar)).isEqualTo(jar.toString());
    assertThat(CellmeshHome.plugins(home)).containsExactly(home.resolve("plugins"));
    assertThatThrownBy(() -> CellmeshHome.application(home, "index-streams"))
        .isInstanceOf(DevStackException.class)
        .hasMessageContaining("has no cellmesh-index-streams");
  }

  @Test
  void what_a_build_has_left_is_told_from_what_was_unpacked() {
    assertThat(CellmeshHome.isBuilt(home.resolve("cli/target/app/cellmesh-cli-0.1.0.jar")))
        .isTrue();
    assertThat(CellmeshHome.isBuilt(home.resolve("lib/cellmesh-cli-0.1.0.jar"))).isFalse();
  }

  private Path touch(String path) throws IOException {
    var file = home.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }
}
