package io.cellmesh.worker.status;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.storage.CellLookup;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexScan;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogOffsets;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Lane;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.status.RowPlace.Cells;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks for the cells of one row in every place where they may be, side by side. Nothing is
 * scanned: where a place can't be asked for a row, it is asked for a bounded stretch, and says so.
 * Thread-safe.
 */
final class RowHistory implements AutoCloseable {
  private static final int THREADS = 6;
  private static final int WAITING = 60;

  /** Copies of a buffer, of the row's partition. */
  private static final int MOST_COPIES = 500;

  /** Records of the log, from the end of the row's partition. */
  private static final int MOST_RECORDS = 500;

  /** So that what was heard until then is told within the deadline. */
  private static final Duration MARGIN = Duration.ofMillis(300);

  private final Looks looks;
  private final Supplier<Topology> map;
  private final ServerReading reading;
  private final Lane lane;

  RowHistory(Looks looks, Supplier<Topology> map, ServerReading reading) {
    this.looks = looks;
    this.map = map;
    this.reading = reading;
    this.lane = new Lane("history-" + map.get().instance(), THREADS, WAITING);
  }

  CompletableFuture<StatusView.Row> of(
      UUID row, Optional<RecordPosition> position, Deadline deadline) {
    var topology = map.get();
    int shard = topology.shards().of(row);
    var cluster = topology.clusterOf(shard);
    var search = new Search(topology, row, shard, cluster, deadline);
    var servers = search.servers();
    var places = new ArrayList<CompletableFuture<List<RowPlace>>>();
    places.add(search.topic(position));
    places.add(search.buffers());
    places.add(servers);
    places.add(search.log());
    places.add(servers.thenCompose(search::indexes));
    looks.peers().forEach(peer -> places.add(search.peer(peer)));
    return CompletableFuture.allOf(places.toArray(CompletableFuture[]::new))
        .thenApply(
            done ->
                RowPlace.together(
                    row,
                    shard,
                    topology.shards().partitionOf(shard),
                    cluster.name(),
                    position.map(RecordPosition::toString),
                    places.stream().flatMap(place -> place.join().stream()).toList()));
  }

  @Override
  public void close() {
    lane.close();
  }

  /** One search for one row. */
  private final class Search {
    private final Topology topology;
    private final UUID row;
    private final int shard;
    private final int partition;
    private final StorageCluster cluster;
    private final Deadline deadline;

    Search(Topology topology, UUID row, int shard, StorageCluster cluster, Deadline deadline) {
      this.topology = topology;
      this.row = row;
      this.shard = shard;
      this.partition = topology.shards().partitionOf(shard);
      this.cluster = cluster;
      this.deadline = deadline;
    }

    CompletableFuture<List<RowPlace>> topic(Optional<RecordPosition> position) {
      var name = topology.topics().cells();
      if (position.isEmpty()) {
        return CompletableFuture.completedFuture(
            List.of(
                RowPlace.notAsked(
                    "topic", "topic", name, "no position was given, and nothing scans the topic")));
      }
      return asked("topic", "topic", name, () -> List.of(inTopic(position.get())));
    }

    private RowPlace inTopic(RecordPosition at) {
      var name = topology.topics().cells();
      try (var client = Consumers.open(looks.here().kafka());
          var envelopes = EnvelopeReader.lenient()) {
        var offsets = TopicOffsets.of(client, name);
        if (at.offset() >= offsets.end(at.partition())) {
          return RowPlace.of(
              "topic",
              "topic",
              name,
              "offset %d is not written yet".formatted(at.offset()),
              Cells.NONE);
        }
        if (at.offset() < offsets.begin(at.partition())) {
          return RowPlace.of(
              "topic",
              "topic",
              name,
              "offset %d has expired".formatted(at.offset()),
              Cells.UNKNOWN);
        }
        var found = new ArrayList<CellKey>();
        new PartitionReader(client)
            .read(
                offsets.partition(at.partition()),
                at.offset(),
                at.offset() + 1,
                record -> {
                  try {
                    found.add(envelopes.readCell(record.key(), record.value()).key());
                  } catch (InvalidCellException e) {
                    // What it is instead, the rejected records tell.
                  }
                });
        var mine = found.stream().filter(key -> key.rowKey().equals(row)).findFirst();
        return RowPlace.of(
            "topic",
            "topic",
            name,
            mine.map(key -> "%s-%d@%d".formatted(name, at.partition(), at.offset()))
                .orElse("at that position stands no cell of this row"),
            (key, record) -> mine.isPresent() && mine.get().equals(key) ? "yes" : "unknown");
      }
    }

    CompletableFuture<List<RowPlace>> buffers() {
      return asked("buffer", "buffer", "buffers of the others", () -> List.of(inBuffers()));
    }

    private RowPlace inBuffers() {
      var unreachable = new ArrayList<BufferView.Unreachable>();
      var held =
          new BufferReader(topology, looks.pools())
              .cells(cluster.name(), OptionalInt.of(partition), MOST_COPIES, unreachable).stream()
                  .filter(cell -> cell.cell().key().rowKey().equals(row))
                  .toList();
      var states = new HashMap<CellKey, String>();
      held.forEach(
          cell ->
              states.put(
                  cell.cell().key(),
                  "%s: %s".formatted(String.join(", ", cell.secondaries()), cell.state())));
      boolean all = unreachable.stream().noneMatch(BufferView.Unreachable::master);
      var note = new ArrayList<String>();
      states.forEach(
          (key, state) -> note.add("%s/%d %s".formatted(key.columnName(), key.refKey(), state)));
      unreachable.stream()
          .filter(BufferView.Unreachable::master)
          .forEach(server -> note.add("%s does not answer".formatted(server.address())));
      var place =
          RowPlace.of(
              "buffer",
              "buffer",
              "buffers of the others",
              note.isEmpty() ? "no copy is held" : String.join("; ", note),
              (key, record) -> states.containsKey(key) ? "yes" : all ? "no" : "unknown");
      return place.with(held.stream().map(cell -> new RowPlace.Unplaced(cell.cell())).toList());
    }

    CompletableFuture<List<RowPlace>> servers() {
      var each = cluster.servers().stream().map(this::server).toList();
      return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
          .thenApply(done -> each.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<RowPlace> server(Server server) {
      var role = server.equals(cluster.master()) ? "master" : "minion";
      var id = "entity-" + server.address();
      var name = "%s %s %s".formatted(cluster.name(), role, server.address());
      return reading
          .read(
              server,
              topology,
              List.of(partition),
              List.of(new Ask.Row(row)),
              Priority.NORMAL,
              deadline)
          .thenApply(answer -> RowPlace.entity(id, name, "", answer.found().get(0)))
          .completeOnTimeout(late(id, "entity", name), patience(), TimeUnit.MILLISECONDS)
          .exceptionally(e -> RowPlace.notAsked(id, "entity", name, why(e)));
    }

    CompletableFuture<List<RowPlace>> log() {
      return asked("log", "log", topology.topics().log(), () -> List.of(inLog()));
    }

    /** A shard's order in the log is that of its added_ids, so its newest record tells of all. */
    private RowPlace inLog() throws SQLException {
      try (var client = Consumers.open(looks.here().kafka());
          var envelopes = EnvelopeReader.lenient()) {
        var log = LogOffsets.of(client, topology);
        TopicPartition at = log.shape().of(topology, shard);
        long end = log.end().get(at);
        long from = Math.max(log.begin().get(at), end - MOST_RECORDS);
        var newest = new long[] {-1, -1};
        var offsets = new HashMap<CellKey, Long>();
        new PartitionReader(client)
            .read(
                at,
                from,
                end,
                record -> {
                  try {
                    var read = envelopes.readLog(record.key(), record.value());
                    if (read.shard() == shard) {
                      newest[0] = Math.max(newest[0], read.addedId());
                      newest[1] = record.offset();
                    }
                    if (read.cell().key().rowKey().equals(row)) {
                      offsets.put(read.cell().key(), record.offset());
                    }
                  } catch (InvalidCellException e) {
                    // A record of another kind says nothing about a cell.
                  }
                });
        boolean whole = from == 0;
        var note =
            offsets.isEmpty()
                ? newest[0] < 0
                    ? "no record of its shard among the newest %d of %s".formatted(end - from, at)
                    : "of its shard up to added_id %d".formatted(newest[0])
                : "%s, offset %s"
                    .formatted(
                        at,
                        String.join(
                            ", ",
                            offsets.values().stream().sorted().map(String::valueOf).toList()));
        return RowPlace.of(
            "log",
            "log",
            topology.topics().log(),
            note,
            (key, record) ->
                offsets.containsKey(key)
                    ? "yes"
                    : record.isEmpty()
                        ? "unknown"
                        : newest[0] >= record.get().addedId()
                            ? "yes"
                            : newest[0] >= 0 || whole ? "no" : "unknown");
      }
    }

    CompletableFuture<List<RowPlace>> indexes(List<RowPlace> servers) {
      var cells =
          servers.stream()
              .map(RowPlace::records)
              .filter(records -> !records.isEmpty())
              .findFirst()
              .orElse(List.of());
      return asked("index", "index", "indexes", () -> inIndexes(cells));
    }

    private List<RowPlace> inIndexes(List<LogRecord> cells) throws SQLException {
      var places = new ArrayList<RowPlace>();
      for (var version : new IndexCatalog(topology, looks.pools()).look()) {
        if (version.isServing()) {
          places.add(inIndex(version, cells));
        }
      }
      return places;
    }

    private RowPlace inIndex(IndexVersion version, List<LogRecord> cells) {
      var definition = version.definition();
      var id = "index-" + version.label();
      var indexed = IndexedRow.of(definition, row, cells);
      if (indexed.entry().isEmpty()) {
        return RowPlace.of(
            id,
            "index",
            version.name(),
            "its cells have no value of %s, so there is no entry"
                .formatted(definition.shardField().name()),
            Cells.UNKNOWN);
      }
      var expected = indexed.entry().get();
      try {
        var found = found(definition, expected.shardValue());
        boolean upToDate = found.filter(e -> e.values().equals(expected.values())).isPresent();
        var stands = upToDate ? "yes" : "no";
        return RowPlace.of(
            id,
            "index",
            version.name(),
            found
                .map(entry -> upToDate ? "entry is up to date" : "entry is of older cells")
                .orElse("no entry of the row under its shard value"),
            (key, record) -> indexed.used().contains(key) ? stands : "unknown");
      } catch (SQLException e) {
        return RowPlace.notAsked(id, "index", version.name(), Piece.why(e));
      }
    }

    private Optional<IndexEntry> found(IndexDefinition definition, String shardValue)
        throws SQLException {
      int home = topology.shards().of(shardValue);
      var scan = new IndexScan(topology.instance(), definition);
      return looks
          .pools()
          .ask(
              topology.clusterOf(home).master(),
              connection -> scan.find(connection, home, shardValue, row))
          .filter(entry -> !entry.removed());
    }

    CompletableFuture<List<RowPlace>> peer(DataCenter peer) {
      var id = "peer-" + peer.name();
      return asked(id, "peer", peer.name(), () -> List.of(inPeer(id, peer)));
    }

    private RowPlace inPeer(String id, DataCenter peer) throws SQLException {
      var owner = peer.topology().clusterOf(shard);
      SQLException failure = null;
      for (var server : owner.servers()) {
        try {
          var lookup = new CellLookup(peer.topology(), 16 << 20);
          var answer =
              looks.pools().ask(server, c -> lookup.ask(c, List.of(), List.of(new Ask.Row(row))));
          return RowPlace.peer(id, peer.name(), "by " + server.address(), answer.found().get(0));
        } catch (SQLException e) {
          failure = e;
        }
      }
      throw failure;
    }

    private CompletableFuture<List<RowPlace>> asked(
        String id, String kind, String name, Callable<List<RowPlace>> question) {
      return lane.run(Priority.NORMAL, deadline, question)
          .completeOnTimeout(List.of(late(id, kind, name)), patience(), TimeUnit.MILLISECONDS)
          .exceptionally(e -> List.of(RowPlace.notAsked(id, kind, name, why(e))));
    }

    private RowPlace late(String id, String kind, String name) {
      return RowPlace.notAsked(id, kind, name, "no answer within the deadline");
    }

    private long patience() {
      return Math.max(1, deadline.left().minus(MARGIN).toMillis());
    }

    private static String why(Throwable e) {
      return Piece.why(e instanceof CompletionException ? e.getCause() : e);
    }
  }
}
