package io.cellmesh.worker.status;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.index.IndexSite;
import io.cellmesh.operations.index.PassPublication;
import io.cellmesh.operations.index.UnindexedReport;
import io.cellmesh.operations.ingest.IngestFinding;
import io.cellmesh.operations.ingest.IngestInspection;
import io.cellmesh.operations.instance.TimestampCheck;
import io.cellmesh.operations.status.IndexLag;
import io.cellmesh.operations.status.Part;
import io.cellmesh.operations.status.PartStatus;
import io.cellmesh.operations.status.Pipeline;
import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.operations.trigger.ParkedCells;
import io.cellmesh.operations.trigger.TriggerInspection;
import io.cellmesh.operations.trigger.TriggerSite;
import io.cellmesh.operations.trigger.TriggerStatus;
import io.cellmesh.storage.ConflictListing;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.worker.status.StatusView.IndexView;
import io.cellmesh.worker.status.StatusView.ParkedView;
import io.cellmesh.worker.status.StatusView.WaitingView;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks what a {@link Piece} asks: what the commands of the same names print, as whoever reads
 * cells. Each wait is bounded. Nothing is changed, and what may be long is read in part.
 */
final class Looks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Looks.class);

  /** Of each list that could be long. */
  private static final int MOST = 50;

  /** Of a topic's partition, from its end. */
  private static final int MOST_RECORDS = 200;

  private static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          4);

  private final Deployment deployment;
  private final String own;
  private final Supplier<Topology> map;
  private final Pools pools;
  private final RejectedTail rejected;

  /**
   * @param own the name of the data centre that is served
   * @param map its shard map as it is now
   */
  Looks(Deployment deployment, String own, Supplier<Topology> map) {
    this.deployment = deployment;
    this.own = own;
    this.map = map;
    this.pools = new Pools(deployment.reader(), OPTIONS);
    this.rejected =
        new RejectedTail(
            here().kafka(), deployment.topics().rejected(), here().topology().shards());
  }

  /** The rows of some shards. */
  record Counted(EntityCounts.Size size, boolean exact) {}

  /**
   * What is known of the shards at one moment.
   *
   * @param counted without those of a master that does not answer
   * @param cells the ends of the ingest topics
   */
  record ShardCounts(Map<Integer, Counted> counted, TopicOffsets cells, TopicOffsets mesh) {}

  RejectedTail rejected() {
    return rejected;
  }

  Pools pools() {
    return pools;
  }

  /** The data centre that is served, with its map as it is now. */
  DataCenter here() {
    return deployment.datacenter(Optional.of(own)).with(map.get());
  }

  /** The others, with their maps as they are now. */
  List<DataCenter> peers() {
    return deployment.datacenters().stream()
        .filter(dc -> !dc.name().equals(own))
        .map(Looks::refreshed)
        .toList();
  }

  List<String> datacenters() {
    return deployment.datacenters().stream().map(DataCenter::name).toList();
  }

  List<Part> parts() throws InterruptedException {
    return new PartStatus(pools).of(now());
  }

  List<PipelineHop> hops() throws SQLException, InterruptedException {
    try (var pipeline = new Pipeline(now().inReach(), pools)) {
      return pipeline.hops();
    }
  }

  /** Records of the ingest topics that nobody has any more, in sentences. */
  List<String> missing() throws SQLException {
    var here = here();
    try (var nodes = new Nodes(new Pools(here.reader(), OPTIONS))) {
      return new IngestInspection(here, nodes)
          .run().stream()
              .filter(IngestFinding::bad)
              .map(
                  found ->
                      "%s: %s-%d: %s"
                          .formatted(
                              found.primary(),
                              found.topic().of(deployment.topics()),
                              found.partition(),
                              found.text()))
              .toList();
    }
  }

  /** What will do harm one day, in sentences. */
  List<String> warnings() throws InterruptedException {
    return TimestampCheck.warnings(here());
  }

  ShardCounts shards() {
    var topology = map.get();
    var counted = new HashMap<Integer, Counted>();
    for (var cluster : topology.clusters()) {
      try {
        var counts = EntityCounts.of(pools, topology, cluster);
        counts.shards().forEach((shard, size) -> counted.put(shard, counted(counts, size)));
      } catch (SQLException e) {
        LOG.debug("the shards of {} are not counted: {}", cluster.name(), e.getMessage());
      }
    }
    try (var client = Consumers.open(here().kafka())) {
      return new ShardCounts(
          counted,
          TopicOffsets.of(client, topology.topics().cells()),
          TopicOffsets.of(client, topology.topics().mesh()));
    }
  }

  private static Counted counted(EntityCounts counts, EntityCounts.Size size) {
    return new Counted(size, counts.exact());
  }

  List<IndexView> indexes() throws SQLException, InterruptedException {
    var here = here();
    var views = new ArrayList<IndexView>();
    try (var lag = new IndexLag(here)) {
      for (var version : site(here).catalog().look()) {
        views.add(view(here, version, lag));
      }
    }
    return views;
  }

  private static IndexView view(DataCenter dc, IndexVersion version, IndexLag lag)
      throws InterruptedException {
    return new IndexView(
        dc.name(),
        version.name(),
        version.version(),
        version.state().text(),
        version.pass(),
        lag.toRead(version.pass()),
        lag.toWrite(version),
        version.definition().fields().stream().map(field -> field.name()).toList());
  }

  /** What is to be said about the indexes, in sentences. */
  List<String> indexWarnings() throws SQLException, InterruptedException {
    return PassPublication.of(site(here())).missing().stream()
        .map(
            pass ->
                "%s lacks pass %s, so index-streams forgets it when it is started again; `cellmesh index publish` writes it there"
                    .formatted(deployment.topics().passes(), pass))
        .toList();
  }

  List<ConflictListing.Entry> conflicts() throws SQLException {
    var topology = map.get();
    var listing = new ConflictListing(topology);
    var entries = new ArrayList<ConflictListing.Entry>();
    for (var cluster : topology.clusters()) {
      entries.addAll(pools.ask(cluster.master(), connection -> listing.newest(connection, MOST)));
    }
    entries.sort(Comparator.comparing(ConflictListing.Entry::decidedAt).reversed());
    return entries.stream().limit(MOST).toList();
  }

  List<TriggerStatus> triggers() throws InterruptedException {
    try (var inspection = new TriggerInspection(new TriggerSite(here()))) {
      return inspection.all();
    }
  }

  /** The rows that triggers have parked, the longest parked first. */
  List<ParkedView> parked() throws InterruptedException {
    var site = new TriggerSite(here());
    var parked = new ArrayList<ParkedView>();
    for (var trigger : triggers()) {
      if (trigger.parkedRows() > 0) {
        ParkedCells.of(site, trigger.name()).rows().stream()
            .limit(MOST)
            .map(row -> ParkedView.of(trigger.name().text(), row))
            .forEach(parked::add);
      }
    }
    return parked;
  }

  /** Of the newest reports, by rule. */
  List<UnindexedReport.Reports> unindexed() {
    try (var client = Consumers.open(here().kafka())) {
      var whole = TopicOffsets.of(client, deployment.topics().unindexed());
      var begin =
          IntStream.range(0, whole.partitions())
              .mapToObj(p -> Math.max(whole.begin(p), whole.end(p) - MOST_RECORDS))
              .toList();
      return UnindexedReport.read(
          client, new TopicOffsets(whole.topic(), begin, whole.end()), passed -> {});
    }
  }

  BufferView buffers() {
    return new BufferReader(map.get(), pools).view(Optional.empty());
  }

  /** By primary, the first cells that wait for it. */
  Map<String, List<WaitingView>> waiting() {
    var reader = new BufferReader(map.get(), pools);
    var cells = new TreeMap<String, List<WaitingView>>();
    for (var cluster : map.get().clusters()) {
      var unreachable = new ArrayList<BufferView.Unreachable>();
      var held = reader.cells(cluster.name(), OptionalInt.empty(), MOST, unreachable);
      cells.put(cluster.name(), held.stream().map(WaitingView::of).toList());
    }
    return cells;
  }

  @Override
  public void close() {
    pools.close();
  }

  private IndexSite site(DataCenter dc) {
    return new IndexSite(deployment, dc, pools);
  }

  private Deployment now() {
    return new Deployment(
        deployment.source(),
        deployment.datacenters().stream()
            .map(dc -> dc.name().equals(own) ? dc.with(map.get()) : refreshed(dc))
            .toList());
  }

  private static DataCenter refreshed(DataCenter dc) {
    try {
      return dc.with(dc.store().read());
    } catch (IOException | RuntimeException e) {
      LOG.debug("the map of {} can't be read; the one before is kept", dc.name(), e);
      return dc;
    }
  }
}
