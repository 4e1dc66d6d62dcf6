package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.TaskMetrics;
import io.cellmesh.connect.sink.base.TaskMetrics.Since;
import io.cellmesh.storage.ConflictKind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * What a task says about itself while it runs; {@link SinkMetric} lists it. All of it is there from
 * the start, so that a missing metric never looks like a good one. Thread-safe; a call costs well
 * under a microsecond and is meant for a batch, not for a cell.
 */
final class SinkMetrics implements AutoCloseable {
  private static final String NO_TAG = "";

  private final TaskMetrics metrics;
  private final Map<Outcome, Sensor> outcomes = new EnumMap<>(Outcome.class);
  private final Map<Hop, Sensor> hops = new EnumMap<>(Hop.class);
  private final Map<ConflictKind, Sensor> conflicts = new EnumMap<>(ConflictKind.class);
  private final String datacenter;
  private final Sensor batchCells;
  private final Sensor batchBytes;
  private final Sensor withoutValue;
  private final Sensor rewinds;
  private final Sensor failedCommits;
  private final Since unsecured;
  private final Map<String, OfCluster> clusters = new HashMap<>();
  private final Map<String, Since> serversDown = new HashMap<>();

  SinkMetrics(MetricsHome home, Topology topology) {
    this.metrics = new TaskMetrics(home);
    this.datacenter = topology.datacenter();
    for (var outcome : Outcome.values()) {
      outcomes.put(outcome, meter(outcome));
    }
    for (var hop : Hop.values()) {
      hops.put(hop, times(hop));
    }
    for (var kind : ConflictKind.values()) {
      conflicts.put(kind, metrics.total(SinkMetric.CONFLICTS_TOTAL, SinkMetric.nameOf(kind)));
    }
    this.batchCells = metrics.sizes(SinkMetric.BATCH_CELLS_AVG, SinkMetric.BATCH_CELLS_MAX, NO_TAG);
    this.batchBytes = metrics.sizes(SinkMetric.BATCH_BYTES_AVG, SinkMetric.BATCH_BYTES_MAX, NO_TAG);
    this.withoutValue = metrics.total(SinkMetric.REJECTED_WITHOUT_VALUE_TOTAL, NO_TAG);
    this.rewinds = metrics.total(SinkMetric.REWINDS_TOTAL, NO_TAG);
    this.failedCommits = metrics.total(SinkMetric.FAILED_COMMITS_TOTAL, NO_TAG);
    this.unsecured = metrics.since(SinkMetric.UNSECURED_SECONDS, NO_TAG);
    for (var cluster : topology.clusters()) {
      clusters.put(cluster.name(), ofCluster(cluster.name()));
      cluster.servers().stream()
          .map(Server::address)
          .forEach(server -> serversDown.computeIfAbsent(server, this::breaker));
    }
  }

  /** What is told of a cluster as a primary and as a secondary. */
  private record OfCluster(
      AtomicLong waitingCells,
      AtomicLong waitingSeconds,
      AtomicLong gapLanes,
      AtomicLong untold,
      AtomicLong bufferedCells,
      AtomicLong bufferedSeconds) {}

  static SinkMetrics of(SinkTaskContext context, Topology topology) {
    return new SinkMetrics(MetricsHome.of(context), topology);
  }

  /** Counts cells by what became of them. */
  void outcome(Outcome kind, long count) {
    if (count > 0) {
      outcomes.get(kind).record(count);
    }
  }

  /** A conflict was decided between records of these data centres. */
  void conflict(String keptOrigin, String refusedOrigin) {
    conflicts.get(ConflictKind.of(keptOrigin, refusedOrigin, datacenter)).record(1);
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
    var down = serversDown.get(server);
    if (down != null) {
      down.mark(open);
    }
  }

  /** Cells that wait for a primary in the buffers, and the age of the oldest in milliseconds. */
  void waiting(String primary, long cells, long oldestMillis) {
    var of = clusters.get(primary);
    if (of != null) {
      of.waitingCells.set(cells);
      of.waitingSeconds.set(oldestMillis / 1000);
    }
  }

  /** All that a buffer holds, and the age of its oldest copy in milliseconds. */
  void buffered(String secondary, long cells, long oldestMillis) {
    var of = clusters.get(secondary);
    if (of != null) {
      of.bufferedCells.set(cells);
      of.bufferedSeconds.set(oldestMillis / 1000);
    }
  }

  /** Lanes of a primary whose next cells nobody has. */
  void gaps(String primary, long lanes) {
    var of = clusters.get(primary);
    if (of != null) {
      of.gapLanes.set(lanes);
    }
  }

  /** Conflicts of a primary that are decided and not told. */
  void untold(String primary, long conflicts) {
    var of = clusters.get(primary);
    if (of != null) {
      of.untold.set(conflicts);
    }
  }

  /** Whether the last batch could be secured. */
  void secured(boolean yes) {
    unsecured.mark(!yes);
  }

  /** A rejected record is told without its value. */
  void rejectedWithoutValue() {
    withoutValue.record(1);
  }

  /** A topic is read again from a position. */
  void rewound() {
    rewinds.record(1);
  }

  /** Kafka has not taken offsets that somebody waits for. */
  void commitFailed() {
    failedCommits.record(1);
  }

  @Override
  public void close() {
    metrics.close();
  }

  private Sensor meter(Outcome outcome) {
    return metrics.meter(SinkMetric.CELLS_RATE, SinkMetric.CELLS_TOTAL, SinkMetric.nameOf(outcome));
  }

  private Sensor times(Hop hop) {
    var name = SinkMetric.nameOf(hop);
    var sensor = metrics.times(SinkMetric.TIME_P50, SinkMetric.TIME_P99, SinkMetric.TIME_MAX, name);
    metrics.add(sensor, SinkMetric.TIME_TOTAL, name, new CumulativeSum());
    return sensor;
  }

  private OfCluster ofCluster(String cluster) {
    return new OfCluster(
        metrics.gauge(SinkMetric.WAITING_CELLS, cluster),
        metrics.gauge(SinkMetric.WAITING_SECONDS, cluster),
        metrics.gauge(SinkMetric.GAP_LANES, cluster),
        metrics.gauge(SinkMetric.UNTOLD_CONFLICTS, cluster),
        metrics.gauge(SinkMetric.BUFFERED_CELLS, cluster),
        metrics.gauge(SinkMetric.BUFFERED_SECONDS, cluster));
  }

  private Since breaker(String server) {
    var down = metrics.since(SinkMetric.DOWN_SECONDS, server);
    metrics.gauge(SinkMetric.BREAKER_OPEN, server, () -> down.isSo() ? 1 : 0);
    return down;
  }
}
