package io.cellmesh.e2e.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.cellmesh.health.AppMetric;
import io.cellmesh.herb.LinkMetric;
import io.cellmesh.herb.ProofMetric;
import io.cellmesh.index.PassMetric;
import io.cellmesh.triggers.TriggerMetric;
import io.cellmesh.worker.http.WorkerMetric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Every metric that Prometheus finds: those that the exporter's rules let through, which are
 * checked against the connectors' enums, and those of the applications' own.
 */
final class ShownMetrics {
  static final Path MONITORING = Path.of(System.getProperty("cellmesh.home"), "monitoring");

  /** What Prometheus adds itself. */
  private static final Map<String, Metric> PROMETHEUS =
      Map.of(
          "up",
          new Metric("1 if Prometheus could ask the process.", Set.of()),
          "ALERTS",
          new Metric("Alerts that are pending or firing.", Set.of("alertname", "alertstate")));

  private final Map<String, Metric> metrics = new TreeMap<>(PROMETHEUS);

  /** What is known of one. */
  record Metric(String help, Set<String> labels) {}

  private ShownMetrics() {}

  static ShownMetrics all() throws IOException {
    var all = new ShownMetrics();
    var rules =
        new ObjectMapper(new YAMLFactory())
            .readTree(MONITORING.resolve("jmx-exporter.yaml").toFile())
            .get("rules");
    for (var rule : rules) {
      var labels = new TreeSet<String>();
      rule.get("labels").fieldNames().forEachRemaining(labels::add);
      all.metrics.put(
          rule.get("name").textValue(), new Metric(rule.get("help").textValue(), labels));
    }
    var apps = new ArrayList<AppMetric>(List.of(PassMetric.values()));
    apps.addAll(List.of(LinkMetric.values()));
    apps.addAll(List.of(ProofMetric.values()));
    apps.addAll(List.of(TriggerMetric.values()));
    apps.addAll(List.of(WorkerMetric.values()));
    apps.forEach(all::add);
    return all;
  }

  /** Of a histogram the buckets are what is asked for. */
  private void add(AppMetric metric) {
    var labels = new TreeSet<>(metric.labels());
    var name = metric.metric();
    if (metric.kind() == AppMetric.Kind.HISTOGRAM) {
      labels.add("le");
      name += "_bucket";
    }
    metrics.put(name, new Metric(metric.meaning(), labels));
  }

  /** Those of our processes. */
  Set<String> names() {
    var names = new TreeSet<>(metrics.keySet());
    names.removeAll(PROMETHEUS.keySet());
    return names;
  }

  boolean has(String name) {
    return metrics.containsKey(name);
  }

  /**
   * @throws AssertionError if there is none of this name
   */
  Metric get(String name) {
    if (!has(name)) {
      throw new AssertionError(name + " is a metric that nobody shows");
    }
    return metrics.get(name);
  }
}
