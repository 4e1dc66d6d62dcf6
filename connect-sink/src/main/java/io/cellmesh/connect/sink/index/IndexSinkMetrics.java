package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.MetricsHome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Max;
import org.apache.kafka.common.metrics.stats.Meter;
import org.apache.kafka.common.metrics.stats.Percentile;
import org.apache.kafka.common.metrics.stats.Percentiles;
import org.apache.kafka.common.metrics.stats.Percentiles.BucketSizing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task says about itself while it runs; {@link IndexSinkMetric} lists it. All of it is there
 * from the start. Thread-safe; a call is meant for a batch. A metric that can't be registered is
 * logged and left out: it must not stop a task.
 */
final class IndexSinkMetrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSinkMetrics.class);
  private static final long NOT = 0;

  /** Times are told to about a percent of themselves up to here, in milliseconds. */
  private static final double LONGEST = 120_000;

  private static final int HISTOGRAM_BYTES = 8000;

  private final MetricsHome home;

  /** Two tasks in one worker share what has one name. */
  private final String unique = "cellmesh-" + UUID.randomUUID() + "-";

  private final Map<String, OfCluster> clusters;
  private final Sensor rejected;
  private final Sensor rewinds;

  IndexSinkMetrics(MetricsHome home, Topology topology) {
    this.home = home;
    this.clusters =
        topology.clusters().stream()
            .map(StorageCluster::name)
            .collect(Collectors.toMap(Function.identity(), this::ofCluster));
    this.rejected = total(IndexSinkMetric.REJECTED_TOTAL);
    this.rewinds = total(IndexSinkMetric.REWINDS_TOTAL);
  }

  private record OfCluster(
      Sensor entries,
      Sensor batches,
      Sensor times,
      Sensor ages,
      AtomicLong waiting,
      AtomicLong since) {}

  /** A batch was committed on a cluster, after so many nanoseconds. */
  void written(String cluster, Batch batch, long nanos) {
    var of = clusters.get(cluster);
    of.entries.record(batch.size());
    of.batches.record(batch.size());
    of.times.record(nanos / 1e6);
    if (batch.oldest() != Long.MAX_VALUE) {
      of.ages.record(Math.max(0, System.currentTimeMillis() - batch.oldest()));
    }
  }

  /** How many offsets wait for a cluster. */
  void waiting(String cluster, long offsets) {
    var of = clusters.get(cluster);
    of.waiting.set(offsets);
    if (offsets == 0) {
      of.since.set(NOT);
    } else {
      // Odd, so that it never is the value for nothing.
      of.since.compareAndSet(NOT, System.nanoTime() | 1);
    }
  }

  void rejected() {
    rejected.record(1);
  }

  void rewound() {
    rewinds.record(1);
  }

  @Override
  public void close() {
    home.close();
  }

  private OfCluster ofCluster(String cluster) {
    var entries = home.sensor(unique + cluster + "-entries");
    register(
        () ->
            entries.add(
                new Meter(
                    name(IndexSinkMetric.ENTRIES_RATE, cluster),
                    name(IndexSinkMetric.ENTRIES_TOTAL, cluster))));
    var batches = home.sensor(unique + cluster + "-batches");
    add(batches, IndexSinkMetric.BATCH_AVG, cluster, new Avg());
    add(batches, IndexSinkMetric.BATCH_MAX, cluster, new Max());
    var waiting = new AtomicLong();
    gauge(IndexSinkMetric.WAITING_OFFSETS, cluster, waiting::get);
    var since = new AtomicLong(NOT);
    gauge(IndexSinkMetric.WAITING_SECONDS, cluster, () -> seconds(since.get()));
    return new OfCluster(
        entries,
        batches,
        times(
            cluster,
            IndexSinkMetric.WRITE_P50,
            IndexSinkMetric.WRITE_P99,
            IndexSinkMetric.WRITE_MAX),
        times(cluster, IndexSinkMetric.AGE_P50, IndexSinkMetric.AGE_P99, IndexSinkMetric.AGE_MAX),
        waiting,
        since);
  }

  private static long seconds(long since) {
    return since == NOT ? 0 : (System.nanoTime() - since) / 1_000_000_000L;
  }

  private Sensor times(
      String cluster, IndexSinkMetric median, IndexSinkMetric tail, IndexSinkMetric longest) {
    var sensor = home.sensor(unique + cluster + '-' + median.attribute());
    register(
        () ->
            sensor.add(
                new Percentiles(
                    HISTOGRAM_BYTES,
                    LONGEST,
                    BucketSizing.LINEAR,
                    new Percentile(name(median, cluster), 50),
                    new Percentile(name(tail, cluster), 99))));
    add(sensor, longest, cluster, new Max());
    return sensor;
  }

  private Sensor total(IndexSinkMetric metric) {
    var sensor = home.sensor(unique + metric.attribute());
    add(sensor, metric, "", new CumulativeSum());
    return sensor;
  }

  private void add(Sensor sensor, IndexSinkMetric metric, String cluster, MeasurableStat stat) {
    register(() -> sensor.add(name(metric, cluster), stat));
  }

  private void gauge(IndexSinkMetric metric, String cluster, LongSupplier value) {
    register(() -> home.add(name(metric, cluster), (config, now) -> value.getAsLong()));
  }

  private MetricName name(IndexSinkMetric metric, String cluster) {
    var tags = new LinkedHashMap<String, String>();
    if (!cluster.isEmpty()) {
      tags.put("cluster", cluster);
    }
    return home.name(metric.attribute(), metric.description(), tags);
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
