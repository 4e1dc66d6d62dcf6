package io.cellmesh.devstack;

import io.cellmesh.devstack.StackPlan.ClusterPlan;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.devstack.dist.MySqlTemplate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Brings the members of a new stack up side by side. Brokers come first, since Connect workers need
 * the longest and need them; MySQL's start is mostly waiting for the disk and fits in between.
 */
final class StackStart {
  private final StackPlan plan;
  private final Path stateDir;
  private final Members members;
  private final Cache cache;
  private final Optional<MySqlTemplate> template;
  private final boolean workersWait;
  private final Progress progress;

  /**
   * @param template present when the plan has MySQL servers
   * @param workersWait until somebody starts them
   */
  StackStart(
      StackPlan plan,
      Path stateDir,
      Members members,
      Cache cache,
      Optional<MySqlTemplate> template,
      boolean workersWait,
      Progress progress) {
    this.plan = plan;
    this.stateDir = stateDir;
    this.members = members;
    this.cache = cache;
    this.template = template;
    this.workersWait = workersWait;
    this.progress = progress;
  }

  /**
   * Returns when all of them answer.
   *
   * @throws DevStackException of the first that failed; the rest may be running
   */
  void run() {
    var tasks = new ArrayList<Callable<Void>>();
    for (var dc : plan.dcs()) {
      if (!dc.brokers().isEmpty()) {
        tasks.add(() -> startKafka(dc.name()));
      }
    }
    for (var dc : plan.dcs()) {
      for (var cluster : dc.clusters()) {
        tasks.add(() -> startCluster(dc.name(), cluster));
      }
    }
    inParallel(tasks);
  }

  private Void startKafka(String dc) {
    var brokers = members.brokers().get(dc);
    var prepared = members.workers().get(dc);
    var clusterId = KafkaStorage.uuid();
    for (var broker : brokers) {
      plan.mountDisk(stateDir, broker.name());
      broker.prepare(cache, clusterId);
    }
    prepared.forEach(ConnectWorker::prepare);
    brokers.forEach(Child::start);
    var workers = workersWait ? List.<ConnectWorker>of() : prepared;
    // They take a while to load and then ask for the broker until it is there.
    workers.forEach(ConnectWorker::start);
    brokers.forEach(Child::awaitReady);
    progress.step("%s: Kafka on %s".formatted(dc, brokers.get(0).bootstrap()));
    for (var worker : workers) {
      worker.awaitReady();
      progress.step("%s: Connect on %s".formatted(dc, worker.url()));
    }
    return null;
  }

  private Void startCluster(String dc, ClusterPlan cluster) {
    var servers =
        cluster.servers().stream().map(server -> members.servers().get(server.name())).toList();
    for (var server : servers) {
      plan.mountDisk(stateDir, server.name());
      server.prepare(template.orElseThrow(), plan.diskMiB() > 0);
      server.start();
    }
    servers.forEach(Child::awaitReady);
    var master = servers.get(0);
    for (var minion : servers.subList(1, servers.size())) {
      minion.replicateFrom(master);
    }
    master.openMaster();
    progress.step("%s: storage cluster %s on %s".formatted(dc, cluster.name(), describe(servers)));
    return null;
  }

  private static String describe(List<MySqlServer> servers) {
    var ports = servers.stream().map(server -> Integer.toString(server.port())).toList();
    return "127.0.0.1:" + String.join(", :", ports);
  }

  private static void inParallel(List<Callable<Void>> tasks) {
    var threads = Executors.newFixedThreadPool(Math.max(1, tasks.size()));
    try {
      var completion = new ExecutorCompletionService<Void>(threads);
      tasks.forEach(completion::submit);
      for (int i = 0; i < tasks.size(); i++) {
        finish(completion.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while the stack started", e);
    } finally {
      stop(threads);
    }
  }

  /** What they have begun must be known before it can be stopped. */
  private static void stop(ExecutorService threads) {
    threads.shutdownNow();
    try {
      threads.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void finish(Future<Void> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DevStackException known) {
        throw known;
      }
      throw new DevStackException("the stack did not start: " + e.getCause(), e.getCause());
    }
  }
}
