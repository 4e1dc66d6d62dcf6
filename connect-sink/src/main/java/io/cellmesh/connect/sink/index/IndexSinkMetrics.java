package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.TaskMetrics;
import io.cellmesh.connect.sink.base.TaskMetrics.Since;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.metrics.Sensor;

/**
 * What a task says about itself while it runs; {@link IndexSinkMetric} lists it. All of it is there
 * from the start. Thread-safe; a call is meant for a batch.
 */
final class IndexSinkMetrics implements AutoCloseable {
  private static final String NO_TAG = "";

  private final TaskMetrics metrics;
  private final Map<String, OfCluster> clusters;
  private final Sensor rejected;
  private final Sensor withoutValue;
  private final Sensor rewinds;

  IndexSinkMetrics(MetricsHome home, Topology topology) {
    this.metrics = new TaskMetrics(home);
    this.clusters =
        topology.clusters().stream()
            .map(StorageCluster::name)
            .collect(Collectors.toMap(Function.identity(), this::ofCluster));
    this.rejected = metrics.total(IndexSinkMetric.REJECTED_TOTAL, NO_TAG);
    this.withoutValue = metrics.total(IndexSinkMetric.REJECTED_WITHOUT_VALUE_TOTAL, NO_TAG);
    this.rewinds = metrics.total(IndexSinkMetric.REWINDS_TOTAL, NO_TAG);
  }

  private record OfCluster(
      Sensor entries, Sensor batches, Sensor times, Sensor ages, AtomicLong waiting, Since since) {}

  /** A batch was committed on a cluster, after so many nanoseconds. */
  void written(String cluster, EntryBatch batch, long nanos) {
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
    of.since.mark(offsets != 0);
  }

  void rejected() {
    rejected.record(1);
  }

  /** A rejected record is told without its value. */
  void rejectedWithoutValue() {
    withoutValue.record(1);
  }

  void rewound() {
    rewinds.record(1);
  }

  @Override
  public void close() {
    metrics.close();
  }

  private OfCluster ofCluster(String cluster) {
    return new OfCluster(
        metrics.meter(IndexSinkMetric.ENTRIES_RATE, IndexSinkMetric.ENTRIES_TOTAL, cluster),
        metrics.sizes(IndexSinkMetric.BATCH_AVG, IndexSinkMetric.BATCH_MAX, cluster),
        metrics.times(
            IndexSinkMetric.WRITE_P50,
            IndexSinkMetric.WRITE_P99,
            IndexSinkMetric.WRITE_MAX,
            cluster),
        metrics.times(
            IndexSinkMetric.AGE_P50, IndexSinkMetric.AGE_P99, IndexSinkMetric.AGE_MAX, cluster),
        metrics.gauge(IndexSinkMetric.WAITING_OFFSETS, cluster),
        metrics.since(IndexSinkMetric.WAITING_SECONDS, cluster));
  }
}
