package io.cellmesh.connect.sink.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.JmxRules;
import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;

/** What the Prometheus JMX exporter shows of this JVM by the rules that we ship. */
public final class ExportedMetrics {
  public static final Path RULES =
      Path.of(System.getProperty("cellmesh.home"), "monitoring/jmx-exporter.yaml");

  private final MetricSnapshots snapshots;

  private ExportedMetrics(MetricSnapshots snapshots) {
    this.snapshots = snapshots;
  }

  /** A registry that a worker has. */
  public static Metrics worker() {
    return new Metrics(
        new MetricConfig(),
        List.of(new JmxReporter()),
        Time.SYSTEM,
        new KafkaMetricsContext("kafka.connect"));
  }

  public static ExportedMetrics scrape() throws Exception {
    var registry = new PrometheusRegistry();
    new JmxCollector(RULES.toFile()).register(registry);
    return new ExportedMetrics(registry.scrape());
  }

  /** It is there, with HELP, TYPE and the labels that it has. */
  public void assertShows(String prefix, TaskMetric metric) {
    var snapshot = of(prefix, metric.attribute());
    assertThat(snapshot.getMetadata().getHelp()).isEqualTo(metric.meaning());
    assertThat(snapshot)
        .isInstanceOf(
            metric.attribute().endsWith("-total") ? CounterSnapshot.class : GaugeSnapshot.class);
    var labels = new TreeSet<>(List.of("connector", "task"));
    if (!metric.tag().isEmpty()) {
      labels.add(metric.tag());
    }
    assertThat(snapshot.getDataPoints())
        .isNotEmpty()
        .allSatisfy(
            point ->
                assertThat(point.getLabels().stream().map(label -> label.getName()))
                    .containsExactlyInAnyOrderElementsOf(labels));
  }

  /** The value where the label is so. */
  public double value(String prefix, TaskMetric metric, String label) {
    return of(prefix, metric.attribute()).getDataPoints().stream()
        .filter(point -> label.equals(point.getLabels().get(metric.tag())))
        .mapToDouble(ExportedMetrics::value)
        .findFirst()
        .orElseThrow();
  }

  private static double value(DataPointSnapshot point) {
    return point instanceof CounterDataPointSnapshot counter
        ? counter.getValue()
        : ((GaugeDataPointSnapshot) point).getValue();
  }

  private MetricSnapshot of(String prefix, String attribute) {
    var name = JmxRules.metric(prefix, attribute);
    return snapshots.stream()
        .filter(snapshot -> nameOf(snapshot).equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(attribute + " has no rule in " + RULES));
  }

  /** With the end that the library takes from the names of counters. */
  private static String nameOf(MetricSnapshot snapshot) {
    var name = snapshot.getMetadata().getName();
    return snapshot instanceof CounterSnapshot && !name.endsWith("_total") ? name + "_total" : name;
  }
}
