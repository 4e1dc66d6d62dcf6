package io.cellmesh.connect.sink.base;

import java.util.LinkedHashMap;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where metrics are registered: with the worker, which shows them through its reporters. */
public interface MetricsHome extends AutoCloseable {

  MetricName name(String attribute, String description, LinkedHashMap<String, String> tags);

  void add(MetricName name, Gauge<?> gauge);

  /**
   * @param name unique in the whole worker
   */
  Sensor sensor(String name);

  @Override
  void close();

  /** The worker's, or nowhere if it is older than Kafka 4.1. */
  static MetricsHome of(SinkTaskContext context) {
    try {
      var worker = context.pluginMetrics();
      if (worker != null) {
        return worker(worker);
      }
    } catch (LinkageError e) {
      Log.LOG.debug("the worker's API has no metrics for plugins", e);
    }
    Log.LOG.info("this worker shows no metrics of the sink; workers of Kafka 4.1 and later do");
    return nowhere();
  }

  /** A task's own; the worker removes them when the task ends. */
  static MetricsHome worker(PluginMetrics metrics) {
    return new MetricsHome() {
      @Override
      public MetricName name(
          String attribute, String description, LinkedHashMap<String, String> tags) {
        return metrics.metricName(attribute, description, tags);
      }

      @Override
      public void add(MetricName name, Gauge<?> gauge) {
        metrics.addMetric(name, gauge);
      }

      @Override
      public Sensor sensor(String name) {
        return metrics.addSensor(name);
      }

      @Override
      public void close() {}
    };
  }

  /** They are counted, and nobody sees them. */
  static MetricsHome nowhere() {
    var metrics = new Metrics();
    return new MetricsHome() {
      @Override
      public MetricName name(
          String attribute, String description, LinkedHashMap<String, String> tags) {
        return metrics.metricName(attribute, "cell-sink", description, tags);
      }

      @Override
      public void add(MetricName name, Gauge<?> gauge) {
        metrics.addMetric(name, gauge);
      }

      @Override
      public Sensor sensor(String name) {
        return metrics.sensor(name);
      }

      @Override
      public void close() {
        metrics.close();
      }
    };
  }

  /** Loggers of an interface are public, which this one's is not. */
  final class Log {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsHome.class);

    private Log() {}
  }
}
