package io.cellmesh.connect.source;

import io.cellmesh.connect.source.TaskLife.Sign;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.connector.ConnectorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every metric of a source connector, as the table on its page lists them. */
enum ConnectorMetric {
  TASK_ALIVE(
      "task-alive",
      "1 while the task shows a sign of life, 0 without. Unknown, -1, while no server answers."),
  RESTARTS(
      "task-restarts-total",
      "How often this connector has had its task started anew since it was itself started."),
  WAITS_FOR(
      "task-waits-for",
      "Why the task stays FAILED until a person has acted; an empty text while it does not.");

  private static final Logger LOG = LoggerFactory.getLogger(ConnectorMetric.class);

  private final String attribute;
  private final String meaning;

  ConnectorMetric(String attribute, String meaning) {
    this.attribute = attribute;
    this.meaning = meaning;
  }

  /**
   * Registers all; a worker older than Kafka 4.1 shows none.
   *
   * @param monitor the one that watches now; empty while the connector is stopped
   */
  static void show(
      ConnectorContext context, Supplier<Optional<TaskMonitor>> monitor, IntSupplier restarts) {
    try {
      var worker = context.pluginMetrics();
      TASK_ALIVE.gauge(
          worker,
          () ->
              switch (monitor.get().map(TaskMonitor::sign).orElse(Sign.UNKNOWN)) {
                case ALIVE -> 1;
                case NONE -> 0;
                case UNKNOWN -> -1;
              });
      RESTARTS.gauge(worker, restarts::getAsInt);
      WAITS_FOR.gauge(worker, () -> monitor.get().map(TaskMonitor::waitsFor).orElse(""));
    } catch (LinkageError | IllegalArgumentException | IllegalStateException e) {
      LOG.info("this worker shows no metrics of the source's connector: {}", e.getMessage());
    }
  }

  /** The table for the connector's page. */
  static String markdown() {
    var table = new StringBuilder("| attribute | what it is |\n|---|---|\n");
    for (var metric : values()) {
      table.append("| `%s` | %s |\n".formatted(metric.attribute, metric.meaning));
    }
    return table.toString();
  }

  String attribute() {
    return attribute;
  }

  String meaning() {
    return meaning;
  }

  private void gauge(PluginMetrics worker, Supplier<Object> value) {
    if (worker != null) {
      worker.addMetric(
          worker.metricName(attribute, meaning, new LinkedHashMap<>()),
          (Gauge<Object>) (config, now) -> value.get());
    }
  }
}
