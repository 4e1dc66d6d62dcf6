package io.cellmesh.worker;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.worker.http.WorkerServer;
import io.cellmesh.worker.security.Protection;
import io.cellmesh.worker.site.Site;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.LongSupplier;

/**
 * A worker node: any number of instances, each in one data centre, behind one port. It keeps no
 * state that another worker would need, so any number of them stand behind any balancer.
 */
public final class Worker implements AutoCloseable {
  private static final int TIMERS = 2;

  private final Map<String, Site> sites;
  private final WorkerServer server;
  private final ScheduledThreadPoolExecutor timer;

  private Worker(Map<String, Site> sites, WorkerServer server, ScheduledThreadPoolExecutor timer) {
    this.sites = sites;
    this.server = server;
    this.timer = timer;
  }

  /** Starts to serve, and reads no tables to prove them. */
  public static Worker start(
      InetSocketAddress at, Protection protection, Map<DataCenter, Deployment> datacenters) {
    return start(at, protection, datacenters, 0);
  }

  /**
   * Starts to serve; servers that can't be reached yet are told as such by the calls that need
   * them.
   *
   * @param at where to listen; port 0 takes any that is free
   * @param datacenters of different instances, each with the deployment that it is of
   * @param scrubRows entity rows a second of each instance that it reads beside, at most, to prove
   *     that the tables are as the log; 0 for none
   * @throws DeploymentException if two are of one instance, one does not say how it is reached, a
   *     file of the protection can't be used, or other machines would be served without tokens
   */
  public static Worker start(
      InetSocketAddress at,
      Protection protection,
      Map<DataCenter, Deployment> datacenters,
      int scrubRows) {
    LongSupplier clock = System::nanoTime;
    var threads = HttpThreads.pool();
    var timer = new ScheduledThreadPoolExecutor(TIMERS, Worker::daemon);
    timer.setRemoveOnCancelPolicy(true);
    var sites = new LinkedHashMap<String, Site>();
    boolean started = false;
    try {
      for (var dc : datacenters.keySet()) {
        var instance = dc.topology().instance();
        if (sites.containsKey(instance)) {
          throw new DeploymentException(
              "instance %s is given twice; a worker serves one data centre of each"
                  .formatted(instance));
        }
        sites.put(instance, new Site(datacenters.get(dc), dc, timer, threads, clock, scrubRows));
      }
      var server = WorkerServer.start(at, protection, sites, threads, clock);
      var worker = new Worker(sites, server, timer);
      started = true;
      return worker;
    } finally {
      if (!started) {
        sites.values().forEach(Site::close);
        timer.shutdownNow();
      }
    }
  }

  /** Starts to serve this machine alone. */
  public static Worker start(InetSocketAddress at, List<DataCenter> datacenters) {
    var alone = new LinkedHashMap<DataCenter, Deployment>();
    datacenters.forEach(dc -> alone.put(dc, new Deployment("one data centre", List.of(dc))));
    return start(at, Protection.LOOPBACK, alone);
  }

  /** Where it listens. */
  public int port() {
    return server.port();
  }

  /**
   * Takes no more calls, lets those that wait go on for up to ten seconds, tells writers that still
   * do how far they came, and ends.
   */
  @Override
  public void close() {
    server.drain();
    sites.values().forEach(Site::endWaits);
    server.close();
    sites.values().forEach(Site::close);
    timer.shutdownNow();
  }

  private static Thread daemon(Runnable task) {
    var thread = new Thread(task, "worker-timer");
    thread.setDaemon(true);
    return thread;
  }
}
