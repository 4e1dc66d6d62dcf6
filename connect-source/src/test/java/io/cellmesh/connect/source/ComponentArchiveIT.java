package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.devstack.shipped.ComponentArchive;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ComponentArchiveIT {
  private static ComponentArchive archive;

  @BeforeAll
  static void readTheArchive() throws IOException {
    archive = ComponentArchive.of(Path.of(System.getProperty("cellmesh.home"), "connect-source"));
  }

  @Test
  void it_holds_what_a_worker_lacks_and_nothing_that_it_has() {
    assertThat(archive.jarsOfTheWorker()).isEmpty();
    assertThat(archive.jars())
        .anyMatch(jar -> jar.startsWith("cellmesh-connect-source-"))
        .anyMatch(jar -> jar.startsWith("cellmesh-cell-"))
        .anyMatch(jar -> jar.startsWith("debezium-connector-mysql-"))
        .anyMatch(jar -> jar.startsWith("mysql-connector-j-"))
        .hasSizeLessThan(20);
  }

  @Test
  void the_manifest_has_the_version_of_the_connectors_jar() throws IOException {
    assertThat(archive.jars()).contains("cellmesh-connect-source-" + version() + ".jar");
    assertThat(manifest().get("component_types").get(0).asText()).isEqualTo("source");
  }

  @Test
  void the_connector_is_found_without_scanning() throws IOException {
    var jar = "cellmesh-connect-source-" + version() + ".jar";

    assertThat(
            archive.textInJar(
                jar, "META-INF/services/org.apache.kafka.connect.source.SourceConnector"))
        .isEqualToIgnoringNewLines(CellSourceConnector.class.getName());
  }

  @Test
  void the_page_and_the_example_are_in_it() {
    assertThat(archive.paths())
        .contains("doc/README.md", "doc/cell-source.md", "etc/cell-source.json");
  }

  private static String version() throws IOException {
    return manifest().get("version").asText();
  }

  private static JsonNode manifest() throws IOException {
    return new ObjectMapper().readTree(archive.text("manifest.json"));
  }
}
