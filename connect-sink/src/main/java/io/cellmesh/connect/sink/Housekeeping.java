package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.CopyReaper;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what a task has to do now and then in the background: lets copies go, and says how things
 * stand. What can't be done now is done later; an {@link Error} ends it for good, and with it the
 * task, for else the buffers would fill unseen.
 */
final class Housekeeping implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  private final List<Job> jobs;
  private final ScheduledExecutorService thread;
  private volatile Error failed;

  Housekeeping(
      Topology topology,
      Nodes nodes,
      CopyReaper copies,
      Lanes lanes,
      SinkMetrics metrics,
      String name) {
    this(jobs(topology, nodes, copies, lanes, metrics), name);
  }

  Housekeeping(List<Job> jobs, String name) {
    this.jobs = List.copyOf(jobs);
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var daemon = new Thread(task, name + "-housekeeping");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /**
   * One thing to do now and then.
   *
   * @param what it does, for the log
   */
  record Job(String what, Action action) {
    @FunctionalInterface
    interface Action {
      void run() throws SQLException;
    }
  }

  void start(Duration interval) {
    thread.scheduleWithFixedDelay(
        this::run, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Looks whether it still goes on.
   *
   * @throws ConnectException if it has ended
   */
  void check() {
    var error = failed;
    if (error != null) {
      throw new ConnectException(
          "the upkeep of the buffers has ended, so no copy would go any more: %s. Restart the task; with OutOfMemoryError give the worker more heap"
              .formatted(error),
          error);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void run() {
    for (var job : jobs) {
      try {
        job.action().run();
      } catch (SQLException | RuntimeException e) {
        // The schedule must survive; what is not done now is done later.
        LOG.warn("{} is not possible now: {}", job.what(), e.getMessage());
      } catch (Error e) {
        failed = e;
        throw e;
      }
    }
  }

  private static List<Job> jobs(
      Topology topology, Nodes nodes, CopyReaper copies, Lanes lanes, SinkMetrics metrics) {
    var monitor = new BufferMonitor(topology, nodes, metrics);
    return List.of(
        new Job("reaping copies", () -> reap(copies, lanes)),
        new Job("telling which servers are left alone", () -> tell(topology, nodes, metrics)),
        new Job("counting what waits in the buffers", () -> monitor.run(lanes.partitions())));
  }

  /** Lets copies go of the partitions that the task owns. */
  static void reap(CopyReaper copies, Lanes lanes) throws SQLException {
    var owned = lanes.partitions();
    if (!owned.isEmpty()) {
      copies.run(first -> owned.contains(first.partition()));
    }
  }

  private static void tell(Topology topology, Nodes nodes, SinkMetrics metrics) {
    for (var cluster : topology.clusters()) {
      for (var server : cluster.servers()) {
        var node = nodes.of(server);
        boolean well = server.equals(cluster.master()) ? node.writable() : node.healthy();
        metrics.breaker(server.address(), !well);
      }
    }
  }
}
