package io.cellmesh.worker.http;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.operations.mesh.scrub.ScrubFigures;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.index.IndexPage;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Gate;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import io.cellmesh.worker.position.Outcome;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.read.CellReads.Terms;
import io.cellmesh.worker.read.IndexReads.ServedPage;
import io.cellmesh.worker.read.ReadFrom;
import io.cellmesh.worker.read.Served;
import io.cellmesh.worker.site.Instance;
import io.cellmesh.worker.site.Written;
import io.cellmesh.worker.status.Status;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** An instance in memory: two clusters of two shards each, and what a test wants it to say. */
final class FakeInstance implements Instance {
  static final String TOPIC = "abcdefgh";

  private final Topology topology =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://a:1", domain: r1}}
            - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://b:1", domain: r2}}
          """);

  private final Map<CellKey, LogRecord> cells = new ConcurrentHashMap<>();
  private final AtomicLong offsets = new AtomicLong();
  final List<IndexQuery> queries = new ArrayList<>();
  final List<Terms> terms = new ArrayList<>();

  /** What every write ends with; if empty, what was asked for. */
  Optional<Outcome> outcome = Optional.empty();

  /** What everything fails with. */
  Optional<RuntimeException> failure = Optional.empty();

  /** Whether nobody has the memory to look at what is found. */
  boolean huge;

  /** The cluster that does not answer. */
  String down = "";

  final FakeStatus status = new FakeStatus();
  Optional<String> trouble = Optional.empty();
  Optional<String> staleUpTo = Optional.empty();

  /** Writes are answered when this is. */
  CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

  /** As if it were new. */
  void reset() {
    cells.clear();
    queries.clear();
    terms.clear();
    outcome = Optional.empty();
    failure = Optional.empty();
    huge = false;
    down = "";
    trouble = Optional.empty();
    staleUpTo = Optional.empty();
    held = CompletableFuture.completedFuture(null);
  }

  /** Has a cell of column BASE with the ref_key 1. */
  void put(String row, String json) {
    try {
      put(row, Body.ofJson(json));
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  /** The same with a body as MySQL holds it, which may be damaged. */
  void put(String row, Body body) {
    var key = new CellKey(UUID.fromString(row), "BASE", 1);
    var cell = new Cell(key, body, Optional.of(new Origin("dc1", 1)));
    int shard = topology.shards().of(key.rowKey());
    cells.put(key, new LogRecord(cell, shard, 1, Instant.EPOCH));
  }

  @Override
  public Topology topology() {
    return topology;
  }

  @Override
  public CompletableFuture<Written> write(
      Cell cell, WaitFor waitFor, Priority priority, Deadline deadline) {
    if (failure.isPresent()) {
      return CompletableFuture.failedFuture(failure.get());
    }
    int shard = topology.shards().of(cell.key().rowKey());
    long offset = offsets.getAndIncrement();
    var origin = Optional.of(new Origin("dc1", offset));
    cells.putIfAbsent(
        cell.key(),
        new LogRecord(new Cell(cell.key(), cell.body(), origin), shard, offset, Instant.EPOCH));
    var position = new RecordPosition("dc1", TOPIC, topology.shards().partitionOf(shard), offset);
    var kept = cells.get(cell.key()).cell().body();
    var result =
        outcome.orElseGet(
            () ->
                !kept.sameAs(cell.body())
                    ? new Outcome.Conflict(kept.digest(), cell.body().digest(), true)
                    : switch (waitFor) {
                      case ACCEPTED -> new Outcome.Late(waitFor, Optional.empty());
                      case SECURED -> new Outcome.Secured();
                      case VISIBLE -> new Outcome.Visible();
                      case REPLICATED -> new Outcome.Replicated();
                    });
    return held.thenApply(done -> new Written(position, result));
  }

  @Override
  public CompletableFuture<Served> read(List<? extends Ask> asks, Terms terms) {
    this.terms.add(terms);
    if (failure.isPresent()) {
      throw failure.get();
    }
    var cluster = clusterOf(asks.get(0).rowKey());
    if (cluster.equals(down)) {
      return CompletableFuture.failedFuture(new UnavailableException(cluster + " does not answer"));
    }
    var found = new ArrayList<List<LogRecord>>();
    asks.forEach(ask -> found.add(find(ask)));
    return CompletableFuture.completedFuture(
        new Served(cluster + "/master/a:1", staleUpTo, huge ? new NoMemory() : found));
  }

  private static final class NoMemory extends AbstractList<List<LogRecord>> {
    @Override
    public List<LogRecord> get(int index) {
      throw new OutOfMemoryError("of a test");
    }

    @Override
    public int size() {
      throw new OutOfMemoryError("of a test");
    }
  }

  private List<LogRecord> find(Ask ask) {
    var ofRow = new TreeMap<String, LogRecord>();
    cells.forEach(
        (key, cell) -> {
          if (key.rowKey().equals(ask.rowKey()) && matches(ask, key)) {
            ofRow.put(key.columnName() + " %020d".formatted(key.refKey()), cell);
          }
        });
    boolean latest = ask instanceof Ask.Latest && !ofRow.isEmpty();
    return latest ? List.of(ofRow.lastEntry().getValue()) : List.copyOf(ofRow.values());
  }

  private static boolean matches(Ask ask, CellKey key) {
    if (ask instanceof Ask.One one) {
      return one.key().equals(key);
    }
    return !(ask instanceof Ask.Latest latest)
        || latest.columnName().equals(key.columnName())
            && key.refKey() <= latest.atMost().orElse(Long.MAX_VALUE);
  }

  @Override
  public String clusterOf(UUID rowKey) {
    return topology.clusterOf(topology.shards().of(rowKey)).name();
  }

  @Override
  public CompletableFuture<ServedPage> page(
      String index, IndexQuery query, ReadFrom from, Priority priority, Deadline deadline) {
    queries.add(query);
    if (failure.isPresent()) {
      throw failure.get();
    }
    return CompletableFuture.completedFuture(
        new ServedPage(
            List.of("c1/master/a:1", "c2/minion/b:1"),
            new IndexPage(List.of(), Optional.of("next"), Set.of())));
  }

  @Override
  public boolean isOf(RecordPosition position) {
    return position.datacenter().equals("dc1") && position.topic().equals(TOPIC);
  }

  @Override
  public Optional<String> trouble() {
    return trouble;
  }

  @Override
  public Map<String, Boolean> healthy() {
    return Map.of("a:1", true, "b:1", false);
  }

  @Override
  public Map<String, Gate> gates() {
    return Map.of("a:1", new Gate("a:1", 1));
  }

  @Override
  public Map<String, Long> hedges() {
    return Map.of("won", 2L);
  }

  @Override
  public Optional<ScrubFigures> scrub() {
    return Optional.empty();
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public Map<String, Long> looks() {
    return Map.of("c1", 3L);
  }
}
