package io.cellmesh.stack.chaos;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.stack.Stack;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * One data centre under fire: what flows into it, what is seen of it, and the retention that leaves
 * nothing in Kafka which the sink has passed.
 */
final class Site implements AutoCloseable {
  /** After how many cells one comes again with another body. */
  private static final int CONFLICT_EVERY = 1_000;

  /** Between two looks at a table: what is timed there is seconds. */
  private static final Duration LOOKS = Duration.ofMillis(500);

  /** As long as a cell may wait to be read from the log: what is timed there is seconds, too. */
  private static final Duration READ = Duration.ofMillis(250);

  /** Of how many cells one is timed. */
  private static final int TIMED = 8;

  private final Victims victims;
  private final Shards shards;
  private final MasterTables tables;
  private final TableDelays visibility;
  private final LogDelays log;
  private final Optional<Readers> readers;
  private final RetentionAtCommit retention;
  private final AtomicLong acknowledged = new AtomicLong();
  private KnownCells cells;
  private HostileCells hostile;

  private Site(Stack stack, String dc) throws IOException {
    var devStack = stack.devStack();
    var workers = stack.deployment().datacenter(Optional.of(dc)).workers();
    this.victims = new Victims(devStack, dc, workers.stream().findFirst());
    var topology = victims.topology();
    this.shards = topology.shards();
    this.tables = new MasterTables(topology, victims::master);
    this.visibility =
        TableDelays.watch(topology, cluster -> victims.master(cluster).server().address(), LOOKS);
    this.readers = Readers.watch(stack, victims);
    var kafka = KafkaAccess.plain(bootstrap());
    this.log = LogDelays.start(() -> Consumers.follow(kafka, READ), topology);
    this.retention =
        RetentionAtCommit.start(
            kafka,
            topology.topics(),
            InstanceNames.cellSink(topology.instance()),
            devStack.stateDir().resolve(dc + "-archive"));
  }

  /** Begins to watch; nothing flows yet. */
  static Site watch(Stack stack, String dc) throws IOException {
    return new Site(stack, dc);
  }

  /**
   * Lets cells flow.
   *
   * @param seed of the keys; the same for all data centres
   * @param sites all data centres: each shall have these cells in its log
   */
  void load(Load how, long seed, List<Site> sites) {
    var topology = victims.topology();
    var listener = (KnownCells.Listener) (row, ref, place) -> expect(row, ref, place, sites);
    cells =
        KnownCells.start(
            bootstrap(), topology, how, CONFLICT_EVERY, seed + sites.indexOf(this), listener);
    hostile = HostileCells.start(bootstrap(), topology, how, seed, sites.size() > 1);
    readers.ifPresent(all -> all.load(seed + sites.indexOf(this)));
  }

  private void expect(UUID row, long ref, RecordMetadata place, List<Site> sites) {
    if (acknowledged.incrementAndGet() % TIMED == 0) {
      visibility.expect(shards.of(row), place.partition(), place.offset());
      for (var site : sites) {
        site.log.expect(name(), row, ref);
        site.readers.ifPresent(all -> all.expect(row, ref));
      }
    }
  }

  /** The producers are in this data centre, and are away with it. */
  void pauseProducers() {
    cells.pause();
    hostile.pause();
  }

  void resumeProducers() {
    cells.resume();
    hostile.resume();
  }

  /**
   * Looks whether Kafka has taken all so far; a run in which it has not proves nothing.
   *
   * @throws IllegalStateException if it refused a record
   */
  void checkProducers() {
    cells.check();
    hostile.check();
  }

  /** Ends the flow; returns when Kafka has all of it. */
  void stop() {
    cells.stop();
    hostile.stop();
    readers.ifPresent(all -> all.sessions().stop());
  }

  String name() {
    return victims.datacenter();
  }

  Victims victims() {
    return victims;
  }

  MasterTables tables() {
    return tables;
  }

  KnownCells cells() {
    return cells;
  }

  /** Empty where nobody reads. */
  Optional<Readers> readers() {
    return readers;
  }

  /** What sessions wrote and read. */
  SessionCounts sessions() {
    return readers.map(all -> all.sessions().counts()).orElse(SessionCounts.NONE);
  }

  /** A master is about to be lost for good. */
  void losesMaster(String cluster) {
    readers.ifPresent(all -> all.sessions().losesMaster(cluster));
  }

  /** All cells of a cluster whose master was lost are back. */
  void isWhole(String cluster) {
    readers.ifPresent(all -> all.sessions().isWhole(cluster));
  }

  /** What must have become of the records, when all has come to rest. */
  Expected expected() {
    return new Expected(lastOfEachRow(), hostile.fates(), deliveries());
  }

  private Optional<Deliveries> deliveries() {
    return readers.map(all -> all.trigger().deliveries());
  }

  /** Cells that Kafka has, each with a key of its own, whoever wrote them. */
  long acknowledged() {
    return cells.acknowledged() + sessions().writes();
  }

  /** The highest acknowledged ref_key of each row whose cells are known, whoever wrote them. */
  private Map<UUID, Long> lastOfEachRow() {
    var last = new HashMap<>(cells.lastOfEachRow());
    readers.ifPresent(all -> last.putAll(all.sessions().lastOfEachRow()));
    return last;
  }

  TableDelays visibility() {
    return visibility;
  }

  LogDelays log() {
    return log;
  }

  RetentionAtCommit retention() {
    return retention;
  }

  /** The longest that a cell took from its acknowledgement to the tables. */
  Duration longest(long begun) {
    long now = System.nanoTime();
    return victims.topology().clusters().stream()
        .map(cluster -> visibility.between(cluster.name(), begun, now).worst())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  @Override
  public void close() {
    if (cells != null) {
      cells.close();
    }
    if (hostile != null) {
      hostile.close();
    }
    retention.close();
    log.close();
    readers.ifPresent(Readers::close);
    visibility.close();
  }

  private String bootstrap() {
    return victims.bootstrap();
  }
}
