package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.JmxRules;
import io.cellmesh.devstack.shipped.PagePart;
import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Prometheus JMX exporter shows all that a source says. */
class SourceRulesTest {
  private static final Path RULES =
      Path.of(System.getProperty("cellmesh.home"), "monitoring/jmx-exporter.yaml");
  private static final String PREFIX = "cellmesh_source";
  private static final String SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  private Metrics worker;

  @BeforeEach
  void start() {
    worker =
        new Metrics(
            new MetricConfig(),
            List.of(new JmxReporter()),
            Time.SYSTEM,
            new KafkaMetricsContext("kafka.connect"));
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  @Test
  void monitoring_jmx_exporter_yaml_has_a_rule_for_each_metric_of_the_task() throws IOException {
    var rules = JmxRules.ofTask(PREFIX);
    for (var metric : SourceMetric.values()) {
      switch (metric) {
        case READING -> rules.text(metric.attribute(), "server", metric.meaning());
        case LAST_GTID -> rules.gtid(metric.attribute(), "source", metric.meaning());
        default -> rules.number(metric.attribute(), "", metric.meaning());
      }
    }
    assertThat(RULES)
        .hasContent(PagePart.expected(RULES, "source", "SourceMetric", rules.toString()));
  }

  @Test
  void monitoring_jmx_exporter_yaml_has_a_rule_for_each_metric_of_the_connector()
      throws IOException {
    var rules = JmxRules.ofConnector(PREFIX);
    for (var metric : ConnectorMetric.values()) {
      if (metric == ConnectorMetric.WAITS_FOR) {
        rules.text(metric.attribute(), "reason", metric.meaning());
      } else {
        rules.number(metric.attribute(), "", metric.meaning());
      }
    }
    assertThat(RULES)
        .hasContent(PagePart.expected(RULES, "connector", "ConnectorMetric", rules.toString()));
  }

  @Test
  void the_exporter_shows_numbers_with_their_help_type_and_labels() {
    for (var metric : SourceMetric.values()) {
      register(metric.attribute(), 1500L, "connector", "trips-source-c1", "task", "0");
    }
    for (var metric : ConnectorMetric.values()) {
      register(metric.attribute(), 1L, "connector", "trips-source-c1");
    }
    register(SourceMetric.READING.attribute(), "db1:3306", "connector", "trips-2", "task", "0");
    register(
        SourceMetric.LAST_GTID.attribute(), SERVER + ":42", "connector", "trips-2", "task", "0");

    var shown = scrape();
    for (var metric : SourceMetric.values()) {
      assertShows(shown, metric.attribute(), metric.meaning());
    }
    for (var metric : ConnectorMetric.values()) {
      assertShows(shown, metric.attribute(), metric.meaning());
    }
    assertThat(points(shown, "lag-ms"))
        .containsOnly(Map.entry(Map.of("connector", "trips-source-c1", "task", "0"), 1.5));
    assertThat(points(shown, "task-alive"))
        .containsOnly(Map.entry(Map.of("connector", "trips-source-c1"), 1.0));
    assertThat(points(shown, "reading"))
        .contains(
            Map.entry(Map.of("connector", "trips-2", "task", "0", "server", "db1:3306"), 1.0));
    assertThat(points(shown, "last-gtid"))
        .containsOnly(
            Map.entry(Map.of("connector", "trips-2", "task", "0", "source", SERVER), 42.0));
  }

  @Test
  void what_is_not_known_and_an_empty_reason_have_no_sample() {
    register(SourceMetric.LAG_MS.attribute(), -1L, "connector", "trips-source-c1", "task", "0");
    register(ConnectorMetric.TASK_ALIVE.attribute(), -1, "connector", "trips-source-c1");
    register(ConnectorMetric.WAITS_FOR.attribute(), "", "connector", "trips-source-c1");
    register(
        ConnectorMetric.WAITS_FOR.attribute(),
        "two lines:\n\"db1\"",
        "connector",
        "trips-source-c2");

    var shown = scrape();
    assertThat(find(shown, "lag-ms")).isEmpty();
    assertThat(find(shown, "task-alive")).isEmpty();
    assertThat(points(shown, "task-waits-for"))
        .containsOnly(
            Map.entry(
                Map.of("connector", "trips-source-c2", "reason", "two lines:\n\"db1\""), 1.0));
  }

  private void register(String attribute, Object value, String... tags) {
    var all = new LinkedHashMap<String, String>();
    for (int i = 0; i < tags.length; i += 2) {
      all.put(tags[i], tags[i + 1]);
    }
    var home = new PluginMetricsImpl(worker, all);
    home.addMetric(
        home.metricName(attribute, "", new LinkedHashMap<>()),
        (Gauge<Object>) (config, now) -> value);
  }

  private static MetricSnapshots scrape() {
    try {
      var registry = new PrometheusRegistry();
      new JmxCollector(RULES.toFile()).register(registry);
      return registry.scrape();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void assertShows(MetricSnapshots shown, String attribute, String meaning) {
    var snapshot =
        find(shown, attribute)
            .orElseThrow(() -> new AssertionError(attribute + " has no rule in " + RULES));
    assertThat(snapshot.getMetadata().getHelp()).isEqualTo(meaning);
    assertThat(snapshot)
        .isInstanceOf(attribute.endsWith("-total") ? CounterSnapshot.class : GaugeSnapshot.class);
  }

  private static Optional<MetricSnapshot> find(MetricSnapshots shown, String attribute) {
    var name = JmxRules.metric(PREFIX, attribute);
    return shown.stream().filter(s -> nameOf(s).equals(name)).findFirst();
  }

  /** Values by their labels. */
  private static Map<Map<String, String>, Double> points(MetricSnapshots shown, String attribute) {
    return find(shown, attribute).orElseThrow().getDataPoints().stream()
        .collect(
            Collectors.toMap(
                point ->
                    point.getLabels().stream()
                        .collect(Collectors.toMap(l -> l.getName(), l -> l.getValue())),
                SourceRulesTest::value));
  }

  private static double value(DataPointSnapshot point) {
    return point instanceof CounterDataPointSnapshot counter
        ? counter.getValue()
        : ((GaugeDataPointSnapshot) point).getValue();
  }

  /** With the end that the library takes from the names of counters. */
  private static String nameOf(MetricSnapshot snapshot) {
    var name = snapshot.getMetadata().getName();
    return snapshot instanceof CounterSnapshot && !name.endsWith("_total") ? name + "_total" : name;
  }
}
