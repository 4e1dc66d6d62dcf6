package io.cellmesh.bench;

import io.cellmesh.bench.CapacityFigures.Line;
import io.cellmesh.bench.CapacityFigures.Round;
import io.cellmesh.bench.CapacitySampler.Peak;
import io.cellmesh.cell.Shards;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.capacity.Capacity;
import io.cellmesh.operations.capacity.Layout;
import io.cellmesh.operations.capacity.Limits;
import io.cellmesh.operations.capacity.Load;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;

/**
 * What numbers of storage clusters cost, beside what the model of {@code cellmesh capacity} says:
 * counts, bytes and seconds of processor, which a machine that is busy otherwise changes little.
 * How many cells a put has does depend on it, so the model is told that.
 */
public final class CapacityBench {
  private static final long SEED = 20261127;
  private static final Duration START = Duration.ofSeconds(240);

  /** Until pools have let go of what was needed to start, and threads with nothing to do ended. */
  private static final Duration SETTLING = Duration.ofSeconds(75);

  private static final Duration AT_REST = Duration.ofSeconds(20);
  private static final Duration WARM_UP = Duration.ofSeconds(30);

  /** For cells that are on their way, and the copies that they leave. */
  private static final Duration TAIL = Duration.ofSeconds(6);

  /** To each master: the harness's, and the sampler's. */
  private static final int OWN_CONNECTIONS = 2;

  private static final int BUFFER_POOL_MIB = 32;

  private final CapacityPlan plan;
  private final ShippedConnector sink;
  private final ShippedConnector source;
  private final Progress progress;

  public CapacityBench(
      CapacityPlan plan, ShippedConnector sink, ShippedConnector source, Progress progress) {
    this.plan = plan;
    this.sink = sink;
    this.source = source;
    this.progress = progress;
  }

  public CapacityFigures run() throws Exception {
    var rounds = new ArrayList<Round>();
    for (int clusters : plan.clusters()) {
      rounds.addAll(measure(clusters));
    }
    return new CapacityFigures(Machine.here().toString(), rounds);
  }

  private List<Round> measure(int clusters) throws Exception {
    progress.step("%d clusters: servers".formatted(clusters));
    try (var ours = OurSink.on(DevStack.start(options(clusters), progress), tasks(), progress);
        var harness = new SinkHarness(ours, SEED, progress)) {
      return new Run(ours, harness, clusters).rounds();
    }
  }

  /** Small servers: what is counted does not depend on their memory. */
  private Options options(int clusters) {
    return Servers.options(
            List.of(Servers.built(OurSink.PLUGIN), Servers.built(LogServers.SOURCE)),
            clusters,
            plan.minions(),
            plan.shards(),
            CapacityPlan.PARTITIONS)
        .withBufferPoolMiB(BUFFER_POOL_MIB)
        .withMySqlSetting("loose_innodb_redo_log_capacity", "64M");
  }

  private ShippedConnector tasks() {
    return (topology, bootstrap) -> {
      var config = new HashMap<>(sink.render(topology, bootstrap));
      config.put("tasks.max", Integer.toString(plan.tasks()));
      return config;
    };
  }

  /** One stack. */
  private final class Run {
    private final OurSink ours;
    private final SinkHarness harness;
    private final DevStack stack;
    private final long worker;
    private final Layout layout;

    Run(OurSink ours, SinkHarness harness, int clusters) {
      this.ours = ours;
      this.harness = harness;
      this.stack = ours.stack();
      this.worker = stack.worker(Servers.DATACENTER).pid();
      this.layout =
          new Layout(
              1,
              clusters,
              plan.minions(),
              new Shards(plan.shards(), CapacityPlan.PARTITIONS),
              plan.tasks(),
              0,
              1,
              0,
              1,
              1);
    }

    List<Round> rounds() throws Exception {
      long heap = new JvmMemory(worker).heapAfterGc();
      progress.step(
          "a worker without connectors: %d threads, %d files, %,d kB of heap"
              .formatted(
                  CapacitySampler.entries(worker, "task"),
                  CapacitySampler.entries(worker, "fd"),
                  heap / 1000));
      harness.prepare();
      harness.run();
      createSources();
      produce(plan.rates().get(0), WARM_UP);
      settle();
      var rest = rest();
      var rounds = new ArrayList<Round>();
      for (int rate : plan.rates()) {
        rounds.add(round(rate, rest));
      }
      return rounds;
    }

    private void createSources() throws Exception {
      var client = stack.worker(Servers.DATACENTER).client();
      var bootstrap = stack.broker(Servers.DATACENTER).bootstrap();
      for (var cluster : ours.topology().clusters()) {
        var config = new HashMap<>(source.render(ours.topology(), bootstrap));
        config.put("cluster", cluster.name());
        config.put("mysql.ssl.mode", "DISABLED");
        var name = ours.topology().instance() + "-source-" + cluster.name();
        client.create(name, config, "RUNNING");
        client.awaitRunning(name, START);
      }
    }

    /** What is done although no cell comes. */
    private Rest rest() throws Exception {
      progress.step("%d clusters: at rest".formatted(layout.clusters()));
      Thread.sleep(SETTLING.toMillis());
      var before = look();
      Thread.sleep(AT_REST.toMillis());
      var after = look();
      var rest =
          new Rest(
              after.masters.since(before.masters),
              after.minions.since(before.minions),
              after.workerCpu - before.workerCpu,
              (after.at - before.at) / 1e9);
      progress.step(
          String.format(
              Locale.ROOT,
              "at rest the worker takes %.3f processors, all masters %.3f, all minions %.3f",
              rest.perSecond(rest.workerCpu),
              rest.perSecond(rest.masters.cpu()),
              rest.perSecond(rest.minions.cpu())));
      return rest;
    }

    private Round round(int rate, Rest rest) throws Exception {
      progress.step("%d clusters: %,d cells/s".formatted(layout.clusters(), rate));
      var before = look();
      long begin = System.nanoTime();
      long cells;
      Peak peak;
      try (var sampler = CapacitySampler.start(stack)) {
        cells = produce(rate, Duration.ofSeconds(plan.seconds()));
        peak = sampler.end();
      }
      double loaded = (System.nanoTime() - begin) / 1e9;
      Thread.sleep(TAIL.toMillis());
      var after = look();
      requireVisible();
      long heap = new JvmMemory(worker).heapAfterGc();
      var beans = SinkBeans.of(worker);
      var seen =
          new Seen(
              after.masters.since(before.masters),
              after.minions.since(before.minions),
              after.workerCpu - before.workerCpu,
              loaded,
              (after.at - begin) / 1e9 - loaded,
              peak,
              beans);
      var load = new Load(cells / loaded, recordBytes(), 1);
      var limits = withCommit(beans.commitMillis());
      var model = Capacity.ofPuts(layout, load, limits, Math.max(1, beans.cells()));
      return new Round(
          layout.clusters(),
          layout.minions(),
          plan.shards(),
          plan.tasks(),
          load.rate(),
          beans.cells(),
          beans.putMillis(),
          beans.commitMillis(),
          lines(model, seen, rest, heap));
    }

    /** The model's limits with the commits of this machine. */
    private static Limits withCommit(double millis) {
      var usual = Limits.USUAL;
      return new Limits(
          usual.connections(),
          usual.tables(),
          usual.files(),
          usual.threads(),
          usual.heapMiB(),
          Runtime.getRuntime().availableProcessors(),
          usual.mysqlCores(),
          millis);
    }

    private List<Line> lines(Capacity model, Seen seen, Rest rest, long heap) {
      var mysql = model.mysql();
      var kept = model.worker();
      int masters = layout.clusters();
      int minions = layout.clusters() * layout.minions();
      var lines = new ArrayList<Line>();
      lines.add(
          new Line(
              "connections_master",
              "connections to a master",
              seen.peak.masterConnections(masters) - OWN_CONNECTIONS,
              model.toMaster().kept()));
      if (minions > 0) {
        lines.add(
            new Line(
                "connections_minion",
                "connections to a minion",
                seen.peak.minionConnections(minions) - 1,
                model.toMinion().kept()));
      }
      lines.add(new Line("threads", "threads of the worker", seen.peak.threads(), kept.threads()));
      lines.add(
          new Line(
              "files",
              "open files of the worker",
              seen.peak.files(),
              kept.files() - kept.connectionsMost() + kept.connections()));
      lines.add(new Line("heap_mb", "live heap of the worker, MB", heap / 1e6, kept.heap() / 1e6));
      lines.add(
          new Line(
              "statements",
              "statements a second on a master",
              seen.perSecond(
                      seen.masters.get("Questions") - seen.peak.samples() * masters,
                      rest.perSecond(rest.masters.get("Questions")))
                  / masters,
              mysql.statements()));
      lines.add(
          new Line(
              "entity_commits",
              "of these commits with cells",
              seen.perSecond(seen.masters.get("Com_commit"), 0) / masters,
              mysql.entityCommits() + mysql.offsetCommits() / 2));
      lines.add(
          new Line(
              "reap_deletes",
              "of these deletes of copies",
              seen.perSecond(seen.masters.get("Com_delete"), 0) / masters,
              mysql.reapCommits()));
      lines.add(
          new Line(
              "commits",
              "commits a second on a master",
              seen.perSecond(seen.masters.transactions(), 0) / masters,
              mysql.commits()));
      lines.add(
          new Line(
              "worker_cpu",
              "processors of the worker",
              seen.perSecond(seen.workerCpu, rest.perSecond(rest.workerCpu)),
              kept.cores()));
      lines.add(
          new Line(
              "master_cpu",
              "processors of a master",
              seen.perSecond(seen.masters.cpu(), rest.perSecond(rest.masters.cpu())) / masters,
              mysql.masterCores()));
      if (minions > 0) {
        lines.add(
            new Line(
                "minion_cpu",
                "processors of a minion",
                seen.perSecond(seen.minions.cpu(), rest.perSecond(rest.minions.cpu())) / minions,
                mysql.minionCores()));
      }
      lines.add(
          new Line(
              "binlog_kb",
              "kB a second of a master's binlog",
              seen.perSecond(seen.masters.binlogBytes(), 0) / masters / 1e3,
              mysql.binlogBytes() / 1e3));
      lines.add(
          new Line(
              "received_kb",
              "kB a second to all masters",
              seen.perSecond(
                      seen.masters.get("Bytes_received"),
                      rest.perSecond(rest.masters.get("Bytes_received")))
                  / 1e3,
              model.network().toMasters() / 1e3));
      lines.add(
          new Line(
              "put_ms", "ms of a put", seen.beans.putMillis(), model.pace().putSeconds() * 1000));
      lines.add(
          new Line(
              "statements_rest",
              "statements a second on a master at rest",
              rest.perSecond(rest.masters.get("Questions")) / masters,
              mysql.statementsAtRest()));
      return lines;
    }

    /** Sleeps until the pace is over and returns how many cells came. */
    private long produce(int rate, Duration duration) throws InterruptedException {
      long count = rate * duration.toSeconds();
      try (var backlog = new Backlog(ours, 0)) {
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
          Pause.until(start + i * 1_000_000_000L / rate);
          backlog.send(harness.next());
        }
        backlog.flush();
      }
      return count;
    }

    private void settle() throws Exception {
      harness.await(harness.produced());
    }

    private void requireVisible() throws SQLException {
      long missing = harness.produced() - ours.visible();
      if (missing > 0) {
        throw new DevStackException(
            "%,d cells are not visible %d s after the last: this machine is too slow for that rate"
                .formatted(missing, TAIL.toSeconds()));
      }
    }

    private Look look() throws SQLException {
      var masters = ServerCounters.none();
      var minions = ServerCounters.none();
      for (var cluster : stack.clusters(Servers.DATACENTER)) {
        masters = masters.plus(ServerCounters.of(cluster.master()));
        for (var minion : cluster.minions()) {
          minions = minions.plus(ServerCounters.of(minion));
        }
      }
      return new Look(masters, minions, Processor.seconds(worker), System.nanoTime());
    }

    /** Bytes of a record in the log. */
    private int recordBytes() throws Exception {
      long bytes = 0;
      try (var admin = stack.broker(Servers.DATACENTER).admin()) {
        var dirs = admin.describeLogDirs(List.of(1)).allDescriptions().get();
        for (var dir : dirs.values().iterator().next().values()) {
          for (var replica : dir.replicaInfos().entrySet()) {
            if (replica.getKey().topic().equals(ours.topology().topics().log())) {
              bytes += replica.getValue().size();
            }
          }
        }
      }
      return (int) (bytes / harness.produced());
    }
  }

  /** What all servers have counted by now. */
  private record Look(ServerCounters masters, ServerCounters minions, double workerCpu, long at) {}

  /** What is done although no cell comes. */
  private record Rest(
      ServerCounters masters, ServerCounters minions, double workerCpu, double seconds) {
    double perSecond(double total) {
      return total / seconds;
    }
  }

  /** What was done while cells came, and for a while after. */
  private record Seen(
      ServerCounters masters,
      ServerCounters minions,
      double workerCpu,
      double loaded,
      double tail,
      Peak peak,
      SinkBeans beans) {
    /** Of the time in which cells came, for it was as at rest afterwards. */
    double perSecond(double total, double atRest) {
      return (total - atRest * tail) / loaded;
    }
  }
}
