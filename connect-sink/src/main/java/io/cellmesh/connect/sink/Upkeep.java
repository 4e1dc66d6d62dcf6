package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.CopyReaper;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task does now and then in the background: lets copies go, and says how things stand. */
final class Upkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

  private final Topology topology;
  private final Nodes nodes;
  private final CopyReaper copies;
  private final Lanes lanes;
  private final SinkMetrics metrics;
  private final BufferWatch watch;
  private final ScheduledExecutorService thread;

  Upkeep(
      Topology topology,
      Nodes nodes,
      CopyReaper copies,
      Lanes lanes,
      SinkMetrics metrics,
      String name) {
    this.topology = topology;
    this.nodes = nodes;
    this.copies = copies;
    this.lanes = lanes;
    this.metrics = metrics;
    this.watch = new BufferWatch(topology, nodes, metrics);
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var daemon = new Thread(task, name + "-upkeep");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  void start(Duration interval) {
    thread.scheduleWithFixedDelay(
        this::run, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void run() {
    try {
      reap();
      for (var cluster : topology.clusters()) {
        for (var server : cluster.servers()) {
          var node = nodes.of(server);
          boolean well = server.equals(cluster.master()) ? node.writable() : node.healthy();
          metrics.breaker(server.address(), !well);
        }
      }
      watch.run(lanes.partitions());
    } catch (SQLException | RuntimeException e) {
      // The schedule must survive; what is not done now is done later.
      LOG.warn("copies can't be reaped now: {}", e.getMessage());
    }
  }

  private void reap() throws SQLException {
    var owned = lanes.partitions();
    if (!owned.isEmpty()) {
      copies.run(first -> owned.contains(first.partition()));
    }
  }
}
