package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.connect.sink.SinkMetric.Tag;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Max;
import org.apache.kafka.common.metrics.stats.Meter;
import org.apache.kafka.common.metrics.stats.Percentile;
import org.apache.kafka.common.metrics.stats.Percentiles;
import org.apache.kafka.common.metrics.stats.Percentiles.BucketSizing;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task says about itself while it runs; {@link SinkMetric} lists it. All of it is there from
 * the start, so that a missing metric never looks like a good one. Thread-safe; a call costs well
 * under a microsecond and is meant for a batch, not for a cell. A metric that can't be registered
 * is logged and left out: it must not stop a task.
 */
final class SinkMetrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SinkMetrics.class);

  private static final long OK = 0;

  /** Times are told to about a percent of themselves up to here, in milliseconds. */
  private static final double LONGEST = 120_000;

  private static final int HISTOGRAM_BYTES = 8000;

  private final MetricsHome home;

  /** Two tasks in one worker share what has one name. */
  private final String unique = "cellmesh-" + UUID.randomUUID() + "-";

  private final Map<Outcome, Sensor> outcomes = new EnumMap<>(Outcome.class);
  private final Map<Hop, Sensor> hops = new EnumMap<>(Hop.class);
  private final Sensor batchCells;
  private final Sensor batchBytes;
  private final Sensor rewinds;
  private final Map<String, AtomicLong> gauges = new ConcurrentHashMap<>();

  SinkMetrics(MetricsHome home, Topology topology) {
    this.home = home;
    for (var outcome : Outcome.values()) {
      outcomes.put(outcome, meter(outcome));
    }
    for (var hop : Hop.values()) {
      hops.put(hop, times(hop));
    }
    this.batchCells = sizes(SinkMetric.BATCH_CELLS_AVG, SinkMetric.BATCH_CELLS_MAX);
    this.batchBytes = sizes(SinkMetric.BATCH_BYTES_AVG, SinkMetric.BATCH_BYTES_MAX);
    this.rewinds = home.sensor(unique + SinkMetric.REWINDS_TOTAL.attribute());
    register(() -> rewinds.add(name(SinkMetric.REWINDS_TOTAL, ""), new CumulativeSum()));
    since(SinkMetric.UNSECURED_SECONDS, "");
    for (var cluster : topology.clusters()) {
      gauge(SinkMetric.WAITING_CELLS, cluster.name());
      gauge(SinkMetric.WAITING_SECONDS, cluster.name());
      gauge(SinkMetric.GAP_LANES, cluster.name());
      gauge(SinkMetric.BUFFERED_CELLS, cluster.name());
      gauge(SinkMetric.BUFFERED_SECONDS, cluster.name());
      cluster.servers().stream().map(Server::address).forEach(this::breaker);
    }
  }

  static SinkMetrics of(SinkTaskContext context, Topology topology) {
    return new SinkMetrics(MetricsHome.of(context), topology);
  }

  /** Counts cells by what became of them. */
  void outcome(Outcome kind, long count) {
    if (count > 0) {
      outcomes.get(kind).record(count);
    }
  }

  /** A batch was taken, with the bytes of its records. */
  void batch(int cells, long bytes) {
    batchCells.record(cells);
    batchBytes.record(bytes);
  }

  /** A batch has made a hop in so many nanoseconds. */
  void hop(Hop hop, long nanos) {
    hops.get(hop).record(nanos / 1e6);
  }

  /** A server's breaker is open or closed now; saying the same again changes nothing. */
  void breaker(String server, boolean open) {
    var since = gauges.get(key(SinkMetric.DOWN_SECONDS, server));
    if (since != null) {
      mark(since, open);
    }
  }

  /** Cells that wait for a primary in the buffers, and the age of the oldest in milliseconds. */
  void waiting(String primary, long cells, long oldestMillis) {
    set(SinkMetric.WAITING_CELLS, primary, cells);
    set(SinkMetric.WAITING_SECONDS, primary, oldestMillis / 1000);
  }

  /** All that a buffer holds, and the age of its oldest copy in milliseconds. */
  void buffered(String secondary, long cells, long oldestMillis) {
    set(SinkMetric.BUFFERED_CELLS, secondary, cells);
    set(SinkMetric.BUFFERED_SECONDS, secondary, oldestMillis / 1000);
  }

  /** Lanes of a primary whose next cells nobody has. */
  void gaps(String primary, long lanes) {
    set(SinkMetric.GAP_LANES, primary, lanes);
  }

  /** Whether the last batch could be secured. */
  void secured(boolean yes) {
    mark(gauges.get(key(SinkMetric.UNSECURED_SECONDS, "")), !yes);
  }

  /** A topic is read again from a position. */
  void rewound() {
    rewinds.record(1);
  }

  @Override
  public void close() {
    home.close();
  }

  private Sensor meter(Outcome outcome) {
    var value = SinkMetric.nameOf(outcome);
    var sensor = home.sensor(unique + value);
    register(
        () ->
            sensor.add(
                new Meter(
                    name(SinkMetric.CELLS_RATE, value), name(SinkMetric.CELLS_TOTAL, value))));
    return sensor;
  }

  private Sensor times(Hop hop) {
    var value = SinkMetric.nameOf(hop);
    var sensor = home.sensor(unique + value);
    register(
        () ->
            sensor.add(
                new Percentiles(
                    HISTOGRAM_BYTES,
                    LONGEST,
                    BucketSizing.LINEAR,
                    new Percentile(name(SinkMetric.TIME_P50, value), 50),
                    new Percentile(name(SinkMetric.TIME_P99, value), 99))));
    register(() -> sensor.add(name(SinkMetric.TIME_MAX, value), new Max()));
    register(() -> sensor.add(name(SinkMetric.TIME_TOTAL, value), new CumulativeSum()));
    return sensor;
  }

  private Sensor sizes(SinkMetric average, SinkMetric largest) {
    var sensor = home.sensor(unique + average.attribute());
    register(() -> sensor.add(name(average, ""), new Avg()));
    register(() -> sensor.add(name(largest, ""), new Max()));
    return sensor;
  }

  private void breaker(String server) {
    var since = since(SinkMetric.DOWN_SECONDS, server);
    add(SinkMetric.BREAKER_OPEN, server, () -> since.get() == OK ? 0 : 1);
  }

  private void gauge(SinkMetric metric, String value) {
    var gauge = gauges.computeIfAbsent(key(metric, value), k -> new AtomicLong());
    add(metric, value, gauge::get);
  }

  /** A gauge of the seconds since it was marked. */
  private AtomicLong since(SinkMetric metric, String value) {
    var since = gauges.computeIfAbsent(key(metric, value), k -> new AtomicLong(OK));
    add(
        metric,
        value,
        () -> {
          long then = since.get();
          return then == OK ? 0 : (System.nanoTime() - then) / 1_000_000_000L;
        });
    return since;
  }

  private static void mark(AtomicLong since, boolean on) {
    if (on) {
      // Odd, so that it never is the value for nothing.
      since.compareAndSet(OK, System.nanoTime() | 1);
    } else {
      since.set(OK);
    }
  }

  private void set(SinkMetric metric, String value, long to) {
    var gauge = gauges.get(key(metric, value));
    if (gauge != null) {
      gauge.set(to);
    }
  }

  private void add(SinkMetric metric, String value, LongSupplier gauge) {
    register(() -> home.add(name(metric, value), (config, now) -> gauge.getAsLong()));
  }

  private MetricName name(SinkMetric metric, String value) {
    var tags = new LinkedHashMap<String, String>();
    if (metric.tag() != Tag.NONE) {
      tags.put(metric.tag().key(), value);
    }
    return home.name(metric.attribute(), metric.description(), tags);
  }

  private static String key(SinkMetric metric, String value) {
    return metric.attribute() + value;
  }

  /** The metrics of a predecessor that does not end hold the names. */
  private static void register(Runnable registration) {
    try {
      registration.run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      LOG.warn("a metric is left out: {}", e.getMessage());
    }
  }
}
