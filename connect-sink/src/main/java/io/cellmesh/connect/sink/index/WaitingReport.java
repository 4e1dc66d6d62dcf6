package io.cellmesh.connect.sink.index;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, twice a minute at most, which cluster is away and how much waits for it. */
final class WaitingReport {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingReport.class);
  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(30);

  private final String indexes;
  private final IndexSinkMetrics metrics;
  private final Map<String, Long> told = new HashMap<>();
  private final Set<String> missed = new HashSet<>();

  WaitingReport(String indexes, IndexSinkMetrics metrics) {
    this.indexes = indexes;
    this.metrics = metrics;
  }

  /** Returns whether anything waits. */
  boolean tell(Collection<ClusterWriter> clusters, Collection<PartitionProgress> partitions) {
    boolean any = false;
    for (var cluster : clusters) {
      long offsets = 0;
      int waiting = 0;
      for (var partition : partitions) {
        long some = partition.waiting(cluster.name());
        offsets += some;
        waiting += some > 0 ? 1 : 0;
      }
      metrics.waiting(cluster.name(), offsets);
      if (waiting > 0) {
        any = true;
        away(cluster, offsets, waiting);
      } else if (missed.remove(cluster.name())) {
        LOG.info("{}: nothing waits for the master of {} any more", indexes, cluster.name());
      }
    }
    return any;
  }

  private void away(ClusterWriter cluster, long offsets, int partitions) {
    long now = System.nanoTime();
    var last = told.get(cluster.name());
    if (last == null || now - last >= INTERVAL) {
      told.put(cluster.name(), now);
      missed.add(cluster.name());
      LOG.warn(
          "{}: {} offsets of {} partitions wait for the master of {}{}",
          indexes,
          offsets,
          partitions,
          cluster.name(),
          cluster.trouble().isEmpty() ? "" : ": " + cluster.trouble());
    }
  }
}
