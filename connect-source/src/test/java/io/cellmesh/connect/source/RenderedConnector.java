package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * connectors/cell-source.json with its placeholders filled in.
 *
 * @param name the connector's
 */
record RenderedConnector(String name, Map<String, String> config) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static RenderedConnector of(String topology, String cluster, String user, String password)
      throws IOException {
    var home = Path.of(System.getProperty("cellmesh.home"));
    var rendered = Files.readString(home.resolve("connectors/cell-source.json"));
    for (var value :
        Map.of(
                "topology", topology,
                "instance", "trips",
                "cluster", cluster,
                "partitions", Integer.toString(TopologyYaml.parse(topology).shards().partitions()),
                "mysql.user", user,
                "mysql.password", password)
            .entrySet()) {
      var quoted = JSON.writeValueAsString(value.getValue());
      rendered =
          rendered.replace("@{" + value.getKey() + "}", quoted.substring(1, quoted.length() - 1));
    }
    assertThat(rendered).as("every placeholder is known").doesNotContain("@{");
    var json = JSON.readTree(rendered);
    return new RenderedConnector(
        json.get("name").asText(),
        JSON.convertValue(json.get("config"), new TypeReference<Map<String, String>>() {}));
  }
}
