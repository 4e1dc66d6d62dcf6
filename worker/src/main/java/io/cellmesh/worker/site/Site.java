package io.cellmesh.worker.site;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.scrub.ScrubFigures;
import io.cellmesh.operations.mesh.scrub.TableScrub;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.topics.RejectionSearch;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Gate;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.RecurringLook;
import io.cellmesh.worker.position.Outcome;
import io.cellmesh.worker.position.PendingWrite;
import io.cellmesh.worker.position.PositionWatch;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.read.CellReads;
import io.cellmesh.worker.read.IndexReads;
import io.cellmesh.worker.read.IndexReads.ServedPage;
import io.cellmesh.worker.read.MapRefresh;
import io.cellmesh.worker.read.ReadFrom;
import io.cellmesh.worker.read.Served;
import io.cellmesh.worker.read.ServerLanes;
import io.cellmesh.worker.read.ShardMap;
import io.cellmesh.worker.status.Status;
import io.cellmesh.worker.status.StatusBoard;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One instance in one data centre. Starting it connects to nothing yet; what can't be reached is
 * told by each call. Thread-safe.
 */
public final class Site implements Instance, AutoCloseable {
  /** Most writes that wait for one cluster. */
  private static final int MOST_WRITES = 10_000;

  private static final int REFRESH_SECONDS = 2;

  private final ShardMap map;
  private final ServerLanes servers;
  private final Ingest ingest;
  private final RejectionReasons reasons;
  private final CellReads reads;
  private final IndexReads indexes;
  private final StatusBoard status;
  private final Optional<TableScrub> scrub;
  private final ScheduledExecutorService timer;
  private final Executor answers;
  private final LongSupplier clock;
  private final ConcurrentHashMap<String, ClusterWrites> writes = new ConcurrentHashMap<>();
  private final ScheduledExecutorService refreshes =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "topology"));

  /**
   * @param deployment of which the data centre is one
   * @param timer wakes those who wait; nothing that runs on it blocks
   * @param answers runs what callers do with an answer
   * @param clock in nanoseconds
   * @param scrubRows entity rows a second that are read to prove the tables; 0 for none
   */
  public Site(
      Deployment deployment,
      DataCenter dc,
      ScheduledExecutorService timer,
      Executor answers,
      LongSupplier clock,
      int scrubRows) {
    var topology = dc.topology();
    this.timer = timer;
    this.answers = answers;
    this.clock = clock;
    this.map = new ShardMap(topology, dc.store());
    var pools = new Pools(server -> dc.reader(), ServerLanes.OPTIONS);
    this.servers = new ServerLanes(new Nodes(pools));
    this.ingest = new Ingest(dc.name(), topology.topics(), dc.kafka(), clock);
    this.reasons =
        new RejectionReasons(
            topology.instance(), new RejectionSearch(dc.kafka(), topology.topics()));
    this.reads = new CellReads(map, servers, timer, clock);
    this.indexes = new IndexReads(map, servers, pools);
    this.status =
        new StatusBoard(deployment, dc.name(), map::current, servers::look, Clock.systemUTC());
    this.scrub =
        scrubRows == 0
            ? Optional.empty()
            : Optional.of(new TableScrub(map::current, dc, scrubRows));
    scrub.ifPresent(TableScrub::start);
    var refresh = new RecurringLook("the shard map", new MapRefresh(map, servers)::run);
    refreshes.scheduleWithFixedDelay(refresh, REFRESH_SECONDS, REFRESH_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public Topology topology() {
    return map.current();
  }

  @Override
  public CompletableFuture<Written> write(
      Cell cell, WaitFor waitFor, Priority priority, Deadline deadline) {
    var cluster = writesOf(cell);
    cluster.gate.enter(priority);
    try {
      return ingest
          .send(cell, priority, deadline)
          .thenCompose(at -> await(cluster, cell, at, waitFor, deadline))
          .whenComplete((written, e) -> cluster.gate.leave());
    } catch (RuntimeException e) {
      cluster.gate.leave();
      throw e;
    }
  }

  @Override
  public CompletableFuture<Served> read(List<? extends Ask> asks, CellReads.Terms terms) {
    var owners = asks.stream().map(ask -> clusterOf(ask.rowKey())).distinct().toList();
    if (owners.size() != 1) {
      throw new IllegalArgumentException("rows of " + owners + " in one read");
    }
    return reads.read(owners.get(0), asks, terms);
  }

  @Override
  public String clusterOf(UUID rowKey) {
    var topology = map.current();
    return topology.clusterOf(topology.shards().of(rowKey)).name();
  }

  @Override
  public CompletableFuture<ServedPage> page(
      String index, IndexQuery query, ReadFrom from, Priority priority, Deadline deadline) {
    return indexes.page(index, query, from, priority, deadline);
  }

  @Override
  public boolean isOf(RecordPosition position) {
    return ingest.isOf(position);
  }

  @Override
  public Optional<String> trouble() {
    if (!ingest.began()) {
      return Optional.of("Kafka has not answered yet, or has no such topic");
    }
    var all = map.current().clusters().stream().flatMap(cluster -> cluster.servers().stream());
    return all.anyMatch(servers::healthy) ? Optional.empty() : Optional.of("no server answers");
  }

  @Override
  public Map<String, Boolean> healthy() {
    var healthy = new TreeMap<String, Boolean>();
    map.current().clusters().stream()
        .flatMap(cluster -> cluster.servers().stream())
        .forEach(server -> healthy.put(server.address(), servers.healthy(server)));
    healthy.put("kafka", ingest.reachable());
    return healthy;
  }

  @Override
  public Map<String, Gate> gates() {
    var gates = new TreeMap<String, Gate>();
    servers.lanes().forEach((server, lane) -> gates.put(server, lane.gate()));
    for (var lane : List.of(ingest.lane(), indexes.lane())) {
      gates.put(lane.gate().name(), lane.gate());
    }
    writes.forEach((cluster, of) -> gates.put(of.gate.name(), of.gate));
    return gates;
  }

  @Override
  public Map<String, Long> hedges() {
    return reads.hedges();
  }

  @Override
  public Map<String, Long> looks() {
    var looks = new TreeMap<String, Long>();
    writes.forEach((cluster, of) -> looks.put(cluster, of.watch.looks()));
    return looks;
  }

  @Override
  public Optional<ScrubFigures> scrub() {
    return scrub.map(TableScrub::figures);
  }

  @Override
  public Status status() {
    return status;
  }

  /** Tells those who wait for a cell how far it came, and those who come after them at once. */
  public void endWaits() {
    writes.values().forEach(of -> of.watch.close());
  }

  /** Closes everything. */
  @Override
  public void close() {
    refreshes.shutdownNow();
    scrub.ifPresent(TableScrub::close);
    status.close();
    endWaits();
    ingest.close();
    reasons.close();
    indexes.close();
    servers.close();
  }

  private CompletableFuture<Written> await(
      ClusterWrites cluster, Cell cell, RecordPosition at, WaitFor waitFor, Deadline deadline) {
    if (waitFor == WaitFor.ACCEPTED) {
      var accepted = new Outcome.Late(WaitFor.ACCEPTED, Optional.empty());
      return CompletableFuture.completedFuture(new Written(at, accepted));
    }
    var write = new PendingWrite(cell, at.partition(), at.offset(), waitFor, deadline.nanos());
    return cluster
        .watch
        .await(write)
        .thenCompose(outcome -> explained(outcome, at, deadline))
        .thenApply(outcome -> new Written(at, outcome));
  }

  private CompletableFuture<Outcome> explained(
      Outcome outcome, RecordPosition at, Deadline deadline) {
    return outcome instanceof Outcome.Rejected
        ? reasons.of(at, deadline).thenApply(Outcome.Rejected::new)
        : CompletableFuture.completedFuture(outcome);
  }

  private ClusterWrites writesOf(Cell cell) {
    return writes.computeIfAbsent(clusterOf(cell.key().rowKey()), this::begin);
  }

  private ClusterWrites begin(String cluster) {
    var inquiry =
        new ClusterInquiry(cluster, map, servers, ingest.committed(), Clock.systemUTC(), clock);
    return new ClusterWrites(
        new Gate("writes-" + cluster, MOST_WRITES),
        new PositionWatch(cluster, inquiry, clock, timer, answers));
  }

  private record ClusterWrites(Gate gate, PositionWatch watch) {}

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
