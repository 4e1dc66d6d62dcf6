package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Meter;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task says about itself while it runs; {@link SourceMetric} lists it. The worker shows it
 * through its reporters and removes it when the task ends; a worker older than Kafka 4.1 shows
 * none. A metric that can't be registered is logged and left out: it must not stop a task.
 */
final class SourceMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(SourceMetrics.class);

  private final PluginMetrics worker;
  private final Lag lag = new Lag();
  private final ResumePoint resumePoint;
  private Sensor cells;
  private final AtomicLong violations = new AtomicLong();
  private volatile String lastGtid = "";
  private volatile BinlogStream stream;

  SourceMetrics(SourceTaskContext context, ResumePoint resumePoint) {
    this.worker = metricsOf(context);
    this.resumePoint = resumePoint;
  }

  /** Registers everything. */
  void show(BinlogStream stream, Rebuild rebuild, ServerSelector servers) {
    this.stream = stream;
    if (worker == null) {
      return;
    }
    register(
        () -> {
          cells = worker.addSensor("cellmesh-" + UUID.randomUUID() + "-cells");
          cells.add(new Meter(name(SourceMetric.CELLS_RATE), name(SourceMetric.CELLS_TOTAL)));
        });
    gauge(SourceMetric.LAG_MS, lag::millis);
    gauge(SourceMetric.LAG_TRANSACTIONS, lag::transactions);
    gauge(
        SourceMetric.READING, () -> servers.current().map(BinlogServer::address).orElse("nobody"));
    gauge(SourceMetric.CONNECTED, () -> stream.isHeard() ? 1 : 0);
    gauge(SourceMetric.READS_SECOND, () -> servers.readsSecondChoice() ? 1 : 0);
    gauge(SourceMetric.SILENT_SECONDS, stream::silentSeconds);
    gauge(SourceMetric.LAST_GTID, () -> lastGtid);
    gauge(SourceMetric.VIOLATIONS, violations::get);
    gauge(SourceMetric.REBUILD_SHARDS, rebuild::shardsLeft);
    gauge(SourceMetric.REBUILD_CELLS, rebuild::cells);
  }

  /** A server has answered, or has not. */
  void saw(ServerState state) {
    var reading = stream;
    if (state.listedMaster() && reading != null) {
      lag.saw(state, reading.read().map(GtidSet::parse).or(resumePoint::passed));
    }
  }

  /** Cells were handed to the log. */
  void handedOut(int count) {
    if (count > 0 && cells != null) {
      cells.record(count);
    }
  }

  /** Somebody has changed an entity row. */
  void violation() {
    violations.incrementAndGet();
  }

  /** The transaction of a cell. */
  void transaction(String gtid) {
    lastGtid = gtid;
  }

  private void gauge(SourceMetric metric, Supplier<Object> value) {
    register(() -> worker.addMetric(name(metric), (Gauge<Object>) (config, now) -> value.get()));
  }

  private MetricName name(SourceMetric metric) {
    return worker.metricName(metric.attribute(), metric.description(), new LinkedHashMap<>());
  }

  private static void register(Runnable registration) {
    try {
      registration.run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      LOG.warn("a metric is left out: {}", e.getMessage());
    }
  }

  private static PluginMetrics metricsOf(SourceTaskContext context) {
    try {
      return context.pluginMetrics();
    } catch (LinkageError e) {
      LOG.info("this worker shows no metrics of the source; workers of Kafka 4.1 and later do");
      return null;
    }
  }
}
