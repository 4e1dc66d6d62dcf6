package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.devstack.shipped.SettingsTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

/** The files that a user gets with the connector are right. */
class ShippedConnectorTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));

  @Test
  void connectors_cell_source_json_is_valid_once_it_is_rendered() throws IOException {
    var rendered = Samples.shipped(Samples.TOPOLOGY, "reader", "s\"cret");

    assertThat(rendered.name()).isEqualTo("trips-source-c1");
    assertThat(rendered.config())
        .containsEntry("connector.class", CellSourceConnector.class.getName())
        .containsEntry("topology", Samples.TOPOLOGY)
        .containsEntry("mysql.password", "s\"cret");
    // The one thing to add on servers of one's own, as `connectors render` does.
    var verified = rendered.with("mysql.ssl.mode", "VERIFY_IDENTITY").config();
    assertThat(new CellSourceConnector().validate(verified).configValues())
        .flatMap(ConfigValue::errorMessages)
        .isEmpty();
    assertThat(rendered.config().keySet())
        .allMatch(name -> isConnects(name) || CellSourceConfig.DEFINITION.names().contains(name));
  }

  @Test
  void connect_makes_a_columns_topic_with_the_partitions_of_the_topology() throws IOException {
    var config =
        Samples.shipped(Samples.TOPOLOGY, "reader", "")
            .with("mysql.ssl.mode", "PREFERRED")
            .with("trigger.columns", "BASE,fare.v2")
            .config();

    assertThat(new CellSourceConnector().validate(config).configValues())
        .flatMap(ConfigValue::errorMessages)
        .isEmpty();
    assertThat(config)
        .containsEntry("topic.creation.trigger.partitions", "16")
        .containsEntry("topic.creation.trigger.retention.ms", "-1");
  }

  @Test
  void docs_connectors_cell_source_md_lists_the_settings_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/cell-source.md");

    assertThat(page).hasContent(SettingsTable.expected(page, CellSourceConfig.DEFINITION));
  }

  @Test
  void docs_connectors_cell_source_md_lists_the_metrics_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/cell-source.md");

    assertThat(page)
        .hasContent(PagePart.expected(page, "metrics", "SourceMetric", SourceMetric.markdown()))
        .hasContent(
            PagePart.expected(page, "metrics", "ConnectorMetric", ConnectorMetric.markdown()));
  }

  @Test
  void log_topics_that_connect_makes_take_the_largest_cell_in_either_shape() throws IOException {
    var config = Samples.shipped(Samples.TOPOLOGY, "reader", "").config();

    for (var group : List.of("log", "trigger", "default")) {
      assertThat(config.get("topic.creation." + group + ".max.message.bytes"))
          .as(group)
          .isEqualTo(config.get("producer.override.max.request.size"))
          .satisfies(
              bytes ->
                  assertThat(Integer.parseInt(bytes))
                      .isGreaterThan(EnvelopeReader.MAX_PEER_BODY + (1 << 16)));
    }
  }

  private static boolean isConnects(String name) {
    return name.equals("connector.class")
        || name.equals("tasks.max")
        || name.endsWith(".converter")
        || name.startsWith("producer.override.")
        || name.startsWith("topic.creation.");
  }
}
