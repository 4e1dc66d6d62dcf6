package io.cellmesh.worker.status;

import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.index.UnindexedReport;
import io.cellmesh.operations.status.Part;
import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.storage.ConflictListing;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Interval;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.RecurringLook;
import io.cellmesh.worker.status.ServerPulse.State;
import io.cellmesh.worker.status.StatusView.HopView;
import io.cellmesh.worker.status.StatusView.IndexView;
import io.cellmesh.worker.status.StatusView.ParkedView;
import io.cellmesh.worker.status.StatusView.PartView;
import io.cellmesh.worker.status.StatusView.SampleView;
import io.cellmesh.worker.status.StatusView.ShardView;
import io.cellmesh.worker.status.StatusView.TriggerView;
import io.cellmesh.worker.status.StatusView.WaitingView;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at an instance for all who want to see it. While somebody has asked within the last minute
 * each MySQL server is asked for two lines a second, and everything else every few seconds; else
 * each ten seconds and once a minute, so that the last hour is known. Thread-safe.
 */
public final class StatusBoard implements Status, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);
  private static final Duration WATCHED = Duration.ofMinutes(1);
  private static final Duration PULSE = Duration.ofMillis(500);
  private static final Duration PULSE_UNWATCHED = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofMillis(200);

  private final String own;
  private final Supplier<Topology> map;
  private final Clock clock;
  private final Looks looks;
  private final Pulse pulse;
  private final RowHistory history;
  private final Instant startedAt;
  private final Optional<URI> connect;
  private final Changes partChanges = new Changes();
  private final Changes hopChanges = new Changes();
  private final Hour<Map<String, Long>> hopHour = new Hour<>();
  private final ShardTable shardTable;
  private final List<Piece<?>> pieces = new ArrayList<>();
  private final Piece<List<PartView>> parts;
  private final Piece<List<HopView>> hops;
  private final Piece<List<String>> missing;
  private final Piece<List<String>> warnings;
  private final Piece<List<ShardView>> shards;
  private final Piece<List<IndexView>> indexes;
  private final Piece<List<String>> indexWarnings;
  private final Piece<List<RejectedTail.Rejected>> rejected;
  private final Piece<List<ConflictListing.Entry>> conflicts;
  private final Piece<List<ParkedView>> parked;
  private final Piece<List<UnindexedReport.Reports>> unindexed;
  private final Piece<List<TriggerView>> triggers;
  private final Piece<BufferView> buffers;
  private final Piece<Map<String, List<WaitingView>>> waiting;
  private final ScheduledExecutorService ticker;
  private final ThreadPoolExecutor threads;

  /** Of the ticker's thread. */
  private final Interval beats = new Interval(System::nanoTime);

  private volatile Instant asked = Instant.EPOCH;

  /**
   * Starts to look.
   *
   * @param own the name of the data centre that is served
   * @param map its shard map as it is now
   * @param reading how its MySQL servers are read
   */
  public StatusBoard(
      Deployment deployment,
      String own,
      Supplier<Topology> map,
      ServerReading reading,
      Clock clock) {
    this.own = own;
    this.map = map;
    this.clock = clock;
    this.startedAt = clock.instant();
    this.looks = new Looks(deployment, own, map);
    this.shardTable = new ShardTable(clock);
    // What is late is of no use: it is asked for again each second.
    this.pulse =
        new Pulse(
            map,
            (server, topology, partitions) ->
                reading.read(
                    server,
                    topology,
                    partitions,
                    List.of(),
                    Priority.HIGH,
                    Deadline.in(PULSE, System::nanoTime)),
            clock);
    this.history = new RowHistory(looks, map, reading);
    this.connect = connect(deployment);
    this.parts = piece("the parts", 4, 2, this::lookAtParts);
    this.hops = piece("the lags", 5, 4, this::lookAtHops);
    this.buffers = piece("the buffers", 3, 2, looks::buffers);
    this.waiting = piece("the buffers' cells", 5, 4, looks::waiting);
    this.missing = piece("the ingest topics", 30, 20, looks::missing);
    this.warnings = piece("the topics' settings", 60, 20, looks::warnings);
    this.shards = piece("the shards", 5, 20, this::lookAtShards);
    this.indexes = piece("the indexes", 5, 4, looks::indexes);
    this.indexWarnings = piece("the indexes' passes", 30, 20, looks::indexWarnings);
    this.rejected = piece("the rejected records", 3, 4, looks.rejected()::look);
    this.conflicts = piece("the ledgers", 5, 4, looks::conflicts);
    this.parked = piece("the parked rows", 10, 10, looks::parked);
    this.unindexed = piece("the unindexed cells", 10, 10, looks::unindexed);
    this.triggers =
        piece("the triggers", 5, 4, () -> looks.triggers().stream().map(TriggerView::of).toList());
    this.threads =
        new ThreadPoolExecutor(
            0,
            pieces.size(),
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> daemon(task, "status"));
    this.ticker = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "status-ticker"));
    var tick = new RecurringLook("what is due", this::tick);
    ticker.scheduleWithFixedDelay(tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public StatusView.Overview overview() {
    seen();
    var shown = parts();
    var held = buffers.last();
    var alarms =
        new Alarms(own, looks.datacenters().size() > 1, connect, clock.instant())
            .parts(shown.value().orElse(List.of()), minions(), held.value())
            .missing(missing.last().value().orElse(List.of()))
            .warnings(warnings.last().value().orElse(List.of()))
            .rejected(inLastHour());
    held.value().ifPresent(alarms::buffers);
    for (var piece : List.of(parts, hops, buffers, rejected, triggers, indexes)) {
      alarms.unknown(piece.name(), piece.last());
    }
    return new StatusView.Overview(
        map.get().instance(),
        own,
        looks.datacenters(),
        startedAt,
        pulse.at(),
        alarms.found(),
        shown,
        hops.last(),
        missing.last(),
        warnings.last());
  }

  @Override
  public StatusView.Shards shards() {
    seen();
    return new StatusView.Shards(shardTable.since(), shards.last());
  }

  @Override
  public StatusView.Indexes indexes() {
    seen();
    return new StatusView.Indexes(indexes.last(), indexWarnings.last());
  }

  @Override
  public StatusView.Refused refused() {
    seen();
    return new StatusView.Refused(
        rejected.last(), inLastHour(), conflicts.last(), parked.last(), unindexed.last());
  }

  @Override
  public StatusView.Triggers triggers() {
    seen();
    return new StatusView.Triggers(triggers.last());
  }

  @Override
  public StatusView.Buffers buffers() {
    seen();
    return new StatusView.Buffers(buffers.last(), waiting.last());
  }

  @Override
  public CompletableFuture<StatusView.Row> row(
      UUID row, Optional<RecordPosition> position, Deadline deadline) {
    return history.of(row, position, deadline);
  }

  @Override
  public void close() {
    ticker.shutdownNow();
    threads.shutdownNow();
    history.close();
    looks.close();
  }

  private <T> Piece<T> piece(String name, int seconds, int rest, Piece.Question<T> question) {
    var piece = new Piece<>(name, Duration.ofSeconds(seconds), rest, question, clock);
    pieces.add(piece);
    return piece;
  }

  private void seen() {
    asked = clock.instant();
  }

  /** Begins what is due; it waits for nothing. */
  private void beat() {
    try {
      pulse.beat();
    } catch (RuntimeException e) {
      // Everything else is looked at all the same.
      LOG.error("the servers could not be asked how they are", e);
    }
  }

  private void tick() {
    var now = clock.instant();
    boolean watched = Duration.between(asked, now).compareTo(WATCHED) < 0;
    if (beats.hasPassed(watched ? PULSE : PULSE_UNWATCHED)) {
      beat();
    }
    for (var piece : pieces) {
      if (piece.due(now, watched)) {
        try {
          threads.execute(piece::look);
        } catch (RejectedExecutionException e) {
          // Each of its threads has to do with another piece; there is another tick.
          return;
        }
      }
    }
  }

  private List<PartView> lookAtParts() throws InterruptedException {
    var now = clock.instant();
    var views = new ArrayList<PartView>();
    var names = new ArrayList<String>();
    for (var part : looks.parts()) {
      var name = "%s %s %s".formatted(part.datacenter(), part.name(), part.address());
      var since = partChanges.note(name, part.up(), now);
      names.add(name);
      views.add(view(part, since));
    }
    partChanges.keep(names);
    return views;
  }

  private static PartView view(Part part, Changes.Since since) {
    return new PartView(
        part.datacenter(),
        part.name(),
        part.address(),
        part.up(),
        part.detail(),
        since.at(),
        since.atLeast());
  }

  /** What was seen of the parts, and since then of the servers, which are asked more often. */
  private Looked<List<PartView>> parts() {
    var servers = pulse.servers();
    var looked = parts.last();
    if (looked.value().isEmpty()) {
      return new Looked<>(
          Optional.empty(),
          Optional.of(servers.stream().map(this::view).toList()),
          looked.failure(),
          looked.failingSince(),
          looked.tookMillis());
    }
    var byAddress = servers.stream().collect(Collectors.toMap(ServerPulse::address, s -> s));
    return looked.map(
        list ->
            list.stream()
                .map(
                    part ->
                        part.datacenter().equals(own) && byAddress.containsKey(part.address())
                            ? now(part, byAddress.get(part.address()), looked.at().orElseThrow())
                            : part)
                .toList());
  }

  private PartView now(PartView part, ServerPulse server, Instant looked) {
    boolean differs =
        switch (server.state()) {
          case UNKNOWN -> false;
          case WELL -> !part.up() && server.since().isAfter(looked);
          case SILENT, READ_ONLY -> true;
        };
    return differs ? view(server) : part;
  }

  private PartView view(ServerPulse server) {
    return new PartView(
        own,
        server.cluster() + " " + server.role(),
        server.address(),
        server.state() == State.WELL || server.state() == State.UNKNOWN,
        switch (server.state()) {
          case WELL -> "answers";
          case UNKNOWN -> "not asked yet";
          case READ_ONLY ->
              "read-only, so its cells wait; if it is the right master, run `cellmesh promote` with it";
          case SILENT -> "does not answer: " + server.why();
        },
        server.since(),
        server.atLeast());
  }

  private Map<String, List<String>> minions() {
    return pulse.servers().stream()
        .filter(server -> !server.isMaster() && server.state() == State.WELL)
        .collect(
            Collectors.groupingBy(
                ServerPulse::cluster,
                Collectors.mapping(ServerPulse::address, Collectors.toList())));
  }

  private List<HopView> lookAtHops() throws Exception {
    var seen = looks.hops();
    var now = clock.instant();
    hopHour.add(
        now,
        seen.stream().collect(Collectors.toMap(StatusBoard::name, PipelineHop::behind, Long::sum)));
    hopChanges.keep(seen.stream().map(StatusBoard::name).toList());
    return seen.stream().map(hop -> view(hop, now)).toList();
  }

  private HopView view(PipelineHop hop, Instant now) {
    var since = hopChanges.note(name(hop), hop.behind() > 0, now);
    var hour =
        hopHour.samples().stream()
            .filter(sample -> sample.value().containsKey(name(hop)))
            .map(sample -> new SampleView(sample.at(), sample.value().get(name(hop))))
            .toList();
    return new HopView(
        hop.datacenter(),
        hop.name(),
        hop.behind(),
        hop.behind() > 0 ? Optional.of(since.at()) : Optional.empty(),
        hour);
  }

  private static String name(PipelineHop hop) {
    return hop.datacenter() + " " + hop.name();
  }

  private List<ShardView> lookAtShards() {
    return shardTable.add(
        map.get(), looks.shards(), pulse.servers(), looks.rejected().since(hourAgo()));
  }

  private long inLastHour() {
    return looks.rejected().since(hourAgo()).values().stream().mapToLong(n -> n).sum();
  }

  private Instant hourAgo() {
    return clock.instant().minus(Duration.ofMinutes(Hour.MINUTES));
  }

  private Optional<URI> connect(Deployment deployment) {
    try {
      return Optional.of(deployment.datacenter(Optional.of(own)).connect().url());
    } catch (DeploymentException e) {
      return Optional.empty();
    }
  }

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
