package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.TwoClusters.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.client.ConnectorTemplate;
import io.cellmesh.devstack.shipped.SettingsTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

/** The files that a user gets with the connector are right, and wrong settings are named. */
class CellSinkShippedTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));

  @Test
  void connectors_cell_sink_json_is_valid_once_it_is_rendered() throws IOException {
    assertThat(errors(shipped())).isEmpty();
    assertThat(shipped().keySet())
        .allMatch(
            name ->
                isConnects(name)
                    || name.startsWith("kafka.")
                    || CellSinkConfig.DEFINITION.names().contains(name));
  }

  @Test
  void docs_connectors_cell_sink_md_lists_the_settings_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/cell-sink.md");
    assertThat(page).hasContent(SettingsTable.expected(page, CellSinkConfig.DEFINITION));
  }

  @Test
  void a_topology_with_a_gap_is_refused_with_its_shards() throws IOException {
    var settings = shipped();
    settings.put("topology", UNREACHABLE.replace("32-63", "33-63"));
    assertThat(errors(settings)).containsExactly("topology: no cluster owns the shards 32");
  }

  @Test
  void a_topology_without_a_second_failure_domain_is_refused() throws IOException {
    var settings = shipped();
    settings.put("topology", UNREACHABLE.replace("rack2", "rack1"));
    assertThat(errors(settings)).singleElement().asString().contains("failure domain \"rack1\"");
  }

  @Test
  void a_connector_that_could_not_report_rejections_is_refused() throws IOException {
    var settings = shipped();
    settings.remove("errors.tolerance");
    settings.remove("errors.deadletterqueue.topic.name");
    assertThat(errors(settings))
        .anyMatch(message -> message.startsWith("errors.tolerance: must be all"))
        .anyMatch(message -> message.startsWith("errors.deadletterqueue.topic.name: must name"));
  }

  @Test
  void a_topic_that_is_no_ingest_topic_is_refused() throws IOException {
    var settings = shipped();
    settings.put("topics", "trips.cells,trips.log");
    assertThat(errors(settings))
        .containsExactly("topics: \"trips.log\" is not one of [trips.cells, trips.mesh]");
  }

  @Test
  void a_pattern_of_topics_must_match_an_ingest_topic() throws IOException {
    var settings = shipped();
    settings.remove("topics");
    settings.put("topics.regex", "trips\\.(cells|mesh)");
    assertThat(errors(settings)).isEmpty();
    settings.put("topics.regex", "trips");
    assertThat(errors(settings))
        .containsExactly("topics.regex: matches none of [trips.cells, trips.mesh]");
    settings.put("topics.regex", "trips(");
    assertThat(errors(settings))
        .singleElement()
        .asString()
        .startsWith("topics.regex: is no pattern: Unclosed group");
  }

  @Test
  void converters_that_would_change_records_or_are_not_named_are_refused() throws IOException {
    var settings = shipped();
    settings.put("key.converter", "ByteArrayConverter");
    settings.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    settings.remove("header.converter");
    assertThat(errors(settings))
        .containsExactly(
            "value.converter: must be org.apache.kafka.connect.converters.ByteArrayConverter or io.cellmesh.connect.converter.EnvelopeConverter, not org.apache.kafka.connect.json.JsonConverter",
            "header.converter: must be org.apache.kafka.connect.converters.ByteArrayConverter, and be named, since the worker's own may be another");
  }

  @Test
  void brokers_whose_names_can_not_be_resolved_are_said_to_be_wrong() throws IOException {
    var settings = shipped();
    settings.put("kafka.bootstrap.servers", "brokers.invalid:9092");
    assertThat(new CellSinkConnector().validate(settings).configValues())
        .filteredOn(value -> value.name().equals("kafka.bootstrap.servers"))
        .flatExtracting(ConfigValue::errorMessages)
        .containsExactly(
            "kafka.bootstrap.servers: the topics can't be described: No resolvable bootstrap urls given in bootstrap.servers");
  }

  /** The shipped file with sample values; no broker answers, so its topics are not looked at. */
  private static Map<String, String> shipped() throws IOException {
    var template = ConnectorTemplate.read(HOME.resolve("connectors/cell-sink.json"));
    var values =
        Map.of(
            "topology", UNREACHABLE,
            "instance", "trips",
            "mysql.user", "sink",
            "mysql.password", "s\"cret",
            "kafka.bootstrap.servers", "127.0.0.1:1");
    var rendered = template.render(values);
    assertThat(rendered.text()).doesNotContain("@{");
    var settings = new HashMap<>(rendered.config());
    assertThat(settings).containsEntry("connector.class", CellSinkConnector.class.getName());
    settings.put("mysql.connect.timeout.ms", "100");
    settings.put("kafka.request.timeout.ms", "100");
    settings.put("kafka.default.api.timeout.ms", "200");
    return settings;
  }

  private static List<String> errors(Map<String, String> settings) {
    return new CellSinkConnector()
        .validate(settings).configValues().stream()
            .map(ConfigValue::errorMessages)
            .flatMap(List::stream)
            .filter(message -> !message.contains("the topics can't be described"))
            .toList();
  }

  private static boolean isConnects(String name) {
    return name.equals("connector.class")
        || name.equals("tasks.max")
        || name.equals("topics")
        || name.endsWith(".converter")
        || name.startsWith("errors.")
        || name.startsWith("producer.override.")
        || name.startsWith("consumer.override.");
  }
}
