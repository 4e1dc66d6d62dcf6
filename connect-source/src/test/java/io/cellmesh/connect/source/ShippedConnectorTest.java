package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.devstack.shipped.SettingsTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

/** The files that a user gets with the connector are right. */
class ShippedConnectorTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void connectors_cell_source_json_is_valid_once_it_is_rendered() throws IOException {
    var rendered =
        JSON.readTree(render(Files.readString(HOME.resolve("connectors/cell-source.json"))));
    assertThat(rendered.get("name").asText()).isEqualTo("trips-source-c1");

    var settings =
        JSON.convertValue(rendered.get("config"), new TypeReference<Map<String, String>>() {});
    assertThat(settings).containsEntry("connector.class", CellSourceConnector.class.getName());
    assertThat(new CellSourceConnector().validate(settings).configValues())
        .flatMap(ConfigValue::errorMessages)
        .isEmpty();
    assertThat(settings.keySet())
        .allMatch(name -> isConnects(name) || CellSourceConfig.DEFINITION.names().contains(name));
  }

  @Test
  void docs_connectors_cell_source_md_lists_the_settings_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/cell-source.md");

    assertThat(page).hasContent(SettingsTable.expected(page, CellSourceConfig.DEFINITION));
  }

  private static boolean isConnects(String name) {
    return name.equals("connector.class")
        || name.equals("tasks.max")
        || name.endsWith(".converter")
        || name.startsWith("producer.override.");
  }

  private static String render(String template) throws JsonProcessingException {
    var rendered = template;
    for (var value :
        Map.of(
                "topology", Samples.TOPOLOGY,
                "instance", "trips",
                "cluster", "c1",
                "mysql.user", "reader",
                "mysql.password", "s\"cret")
            .entrySet()) {
      var quoted = JSON.writeValueAsString(value.getValue());
      rendered =
          rendered.replace("@{" + value.getKey() + "}", quoted.substring(1, quoted.length() - 1));
    }
    assertThat(rendered).doesNotContain("@{");
    return rendered;
  }
}
