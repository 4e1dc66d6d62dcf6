package io.cellmesh.bench;

import io.cellmesh.bench.CapacityComparison.Seen;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What numbers of storage clusters cost, beside what the model of {@code cellmesh capacity} says:
 * counts, bytes and seconds of processor, which a machine that is busy otherwise changes little.
 * How many cells a put has does depend on it, so the model is told that.
 */
public final class CapacityBench {
  private static final long SEED = 20261127;
  private static final Duration START = Duration.ofSeconds(240);

  /**
   * Pools let go of what they don't need after ten seconds, and threads with nothing to do end
   * after a minute; no server tells that they have.
   */
  private static final Duration SETTLING = Duration.ofSeconds(75);

  private static final Duration AT_REST = Duration.ofSeconds(20);
  private static final Duration WARM_UP = Duration.ofSeconds(60);

  /**
   * For cells that are on their way, and the copies that they leave. It is a part of what is
   * counted: asking the masters whether they are there would count as well.
   */
  private static final Duration TAIL = Duration.ofSeconds(6);

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

  /** Runs every number of clusters at every rate, each number on servers of its own. */
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
      // A JVM takes several times as much for a put in its first minute.
      produce(Collections.max(plan.rates()), WARM_UP);
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
    private StackCounters rest() throws Exception {
      progress.step("%d clusters: at rest".formatted(layout.clusters()));
      Thread.sleep(SETTLING.toMillis());
      var before = StackCounters.of(stack);
      Thread.sleep(AT_REST.toMillis());
      var rest = StackCounters.of(stack).since(before);
      progress.step(
          String.format(
              Locale.ROOT,
              "at rest the worker takes %.3f processors, all masters %.3f, all minions %.3f",
              rest.workerCpu() / rest.seconds(),
              rest.masters().cpu() / rest.seconds(),
              rest.minions().cpu() / rest.seconds()));
      return rest;
    }

    private Round round(int rate, StackCounters rest) throws Exception {
      progress.step("%d clusters: %,d cells/s".formatted(layout.clusters(), rate));
      var before = StackCounters.of(stack);
      long begin = System.nanoTime();
      long cells;
      Peak peak;
      try (var sampler = CapacitySampler.start(stack)) {
        cells = produce(rate, Duration.ofSeconds(plan.seconds()));
        peak = sampler.end();
      }
      double loaded = (System.nanoTime() - begin) / 1e9;
      Thread.sleep(TAIL.toMillis());
      var counted = StackCounters.of(stack).since(before);
      requireVisible();
      long heap = new JvmMemory(worker).heapAfterGc();
      var beans = SinkBeans.of(worker);
      var load = new Load(cells / loaded, recordBytes(), 1);
      var model = Capacity.ofPuts(layout, load, limits(beans), Math.max(1, beans.cells()));
      return new Round(
          layout.clusters(),
          layout.minions(),
          plan.shards(),
          plan.tasks(),
          load.rate(),
          beans.cells(),
          beans.commitMillis(),
          CapacityComparison.lines(model, rest, new Seen(counted, loaded, peak, heap, beans)));
    }

    /** The usual ones with this machine's processors and commits. */
    private static Limits limits(SinkBeans beans) {
      return Limits.USUAL.with(
          Map.of(
              "worker_cores",
              (double) Runtime.getRuntime().availableProcessors(),
              "commit_ms",
              beans.commitMillis()));
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
}
