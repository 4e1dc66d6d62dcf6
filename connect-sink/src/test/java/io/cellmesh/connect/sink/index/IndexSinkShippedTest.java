package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.client.ConnectorTemplate;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.connect.sink.base.TaskMetric;
import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.devstack.shipped.SettingsTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.sink.SinkConnector;
import org.junit.jupiter.api.Test;

/** The files that a user gets with the connector are right, and wrong settings are named. */
class IndexSinkShippedTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1", domain: rack1}}
      """;

  @Test
  void connectors_index_sink_json_is_valid_once_it_is_rendered() throws IOException {
    assertThat(rendered().name()).isEqualTo("trips-index-sink-p1");
    assertThat(errors(shipped())).isEmpty();
    assertThat(shipped().keySet())
        .allMatch(name -> isConnects(name) || IndexSinkConfig.DEFINITION.names().contains(name));
  }

  @Test
  void docs_connectors_index_sink_md_lists_the_settings_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/index-sink.md");
    assertThat(page).hasContent(SettingsTable.expected(page, IndexSinkConfig.DEFINITION));
  }

  @Test
  void docs_connectors_index_sink_md_lists_the_metrics_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/index-sink.md");
    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "metrics", "IndexSinkMetric", TaskMetric.markdown(IndexSinkMetric.values())));
  }

  @Test
  void the_worker_finds_it_as_a_service() {
    assertThat(ServiceLoader.load(SinkConnector.class))
        .hasAtLeastOneElementOfType(IndexSinkConnector.class);
  }

  @Test
  void a_wrong_definition_is_refused_with_its_line() throws IOException {
    var settings = shipped();
    settings.put("indexes", settings.get("indexes").replace("datetime", "time"));
    assertThat(errors(settings))
        .singleElement()
        .asString()
        .startsWith("indexes: line 10: type: \"time\" is none of");
  }

  @Test
  void a_definition_of_another_instance_is_refused() throws IOException {
    var settings = shipped();
    settings.put(
        "indexes", settings.get("indexes").replace("datastore: trips", "datastore: riders"));
    assertThat(errors(settings))
        .containsExactly(
            "indexes: datastore \"riders\" of driver_partner_index is not the topology's instance, trips");
  }

  @Test
  void a_topic_of_another_index_is_refused() throws IOException {
    var settings = shipped();
    settings.put("topics", "trips.index.other");
    assertThat(errors(settings))
        .containsExactly(
            "topics: must be trips.index.driver_partner_index, where the entries of the indexes are");
  }

  @Test
  void several_indexes_need_the_topics_of_all_in_any_order() throws IOException {
    var settings = shipped();
    var index = settings.get("indexes");
    settings.put(
        "indexes",
        index + "\n---\n" + index.replace("table: driver_partner_index", "table: other"));
    assertThat(errors(settings))
        .containsExactly(
            "topics: must be trips.index.driver_partner_index,trips.index.other, where the entries of the indexes are");
    settings.put("topics", "trips.index.other, trips.index.driver_partner_index");
    assertThat(errors(settings)).isEmpty();
  }

  @Test
  void a_connector_that_could_not_report_malformed_records_is_refused() throws IOException {
    var settings = shipped();
    settings.remove("errors.tolerance");
    settings.remove("errors.deadletterqueue.topic.name");
    assertThat(errors(settings))
        .containsExactly(
            "errors.tolerance: must be all: a malformed record must stop no other",
            "errors.deadletterqueue.topic.name: must name the topic for malformed records");
  }

  @Test
  void a_pattern_of_topics_is_refused_in_words() throws IOException {
    var settings = shipped();
    settings.remove("topics");
    settings.put("topics.regex", "trips\\.index\\..*");
    assertThat(errors(settings))
        .containsExactly(
            "topics: must be trips.index.driver_partner_index, where the entries of the indexes are");
  }

  @Test
  void converters_that_would_change_records_or_are_not_named_are_refused() throws IOException {
    var settings = shipped();
    settings.remove("key.converter");
    settings.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    assertThat(errors(settings))
        .containsExactly(
            "key.converter: must be org.apache.kafka.connect.converters.ByteArrayConverter, and be named, since the worker's own may be another",
            "value.converter: must be org.apache.kafka.connect.converters.ByteArrayConverter, not org.apache.kafka.connect.storage.StringConverter");
  }

  private static Connector rendered() throws IOException {
    var template = ConnectorTemplate.read(HOME.resolve("connectors/index-sink.json"));
    var index = Files.readString(HOME.resolve("connectors/indexes/driver_partner_index.yaml"));
    var values =
        Map.of(
            "topology", TOPOLOGY,
            "instance", "trips",
            "pass", "p1",
            "index.topics", "trips.index.driver_partner_index",
            "indexes", index,
            "mysql.user", "sink",
            "mysql.password", "s\"cret",
            "kafka.bootstrap.servers", "127.0.0.1:1");
    var rendered = template.render(values);
    assertThat(rendered.text()).doesNotContain("@{");
    return rendered;
  }

  private static Map<String, String> shipped() throws IOException {
    var settings = new HashMap<>(rendered().config());
    assertThat(settings).containsEntry("connector.class", IndexSinkConnector.class.getName());
    return settings;
  }

  private static List<String> errors(Map<String, String> settings) {
    return new IndexSinkConnector()
        .validate(settings).configValues().stream()
            .map(ConfigValue::errorMessages)
            .flatMap(List::stream)
            .toList();
  }

  private static boolean isConnects(String name) {
    return name.equals("connector.class")
        || name.equals("tasks.max")
        || name.equals("topics")
        || name.endsWith(".converter")
        || name.startsWith("errors.")
        || name.startsWith("consumer.override.");
  }
}
