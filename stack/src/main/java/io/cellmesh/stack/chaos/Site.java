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

  /** Of how many cells one is timed. */
  private static final int TIMED = 8;

  private final Victims victims;
  private final Shards shards;
  private final MasterTables tables;
  private final TableDelays visibility;
  private final LogDelays log;
  private final IndexDelays index;
  private final ChaosTrigger trigger;
  private final RetentionAtCommit retention;
  private final AtomicLong acknowledged = new AtomicLong();
  private KnownCells cells;
  private HostileCells hostile;
  private WorkerSessions sessions;

  private Site(Stack stack, String dc) throws IOException {
    var devStack = stack.devStack();
    var worker = stack.deployment().datacenter(Optional.of(dc)).workers().get(0);
    this.victims = new Victims(devStack, dc, worker);
    var topology = victims.topology();
    this.shards = topology.shards();
    this.tables = new MasterTables(topology, victims::master);
    this.visibility =
        TableDelays.watch(topology, cluster -> victims.master(cluster).server().address());
    this.index = IndexDelays.watch(topology, victims::master);
    this.trigger = ChaosTrigger.start(stack, dc);
    var kafka = KafkaAccess.plain(bootstrap());
    this.log = LogDelays.start(() -> Consumers.open(kafka), topology);
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
   * @param rate cells a second
   * @param seed of the keys; the same for all data centres
   * @param all data centres: each shall have these cells in its log
   */
  void load(int rate, long seed, List<Site> all) {
    var topology = victims.topology();
    var listener = (KnownCells.Listener) (row, ref, place) -> expect(row, ref, place, all);
    cells =
        KnownCells.start(
            bootstrap(), topology, rate, CONFLICT_EVERY, seed + all.indexOf(this), listener);
    hostile = HostileCells.start(bootstrap(), topology, rate, seed, all.size() > 1);
    sessions = WorkerSessions.start(victims.calls(), topology, seed + all.indexOf(this));
  }

  private void expect(UUID row, long ref, RecordMetadata place, List<Site> all) {
    if (acknowledged.incrementAndGet() % TIMED == 0) {
      visibility.expect(shards.of(row), place.partition(), place.offset());
      for (var site : all) {
        site.log.expect(name(), row, ref);
        site.trigger.cells().expect(row, ref);
        site.index.cells().expect(row, ref);
      }
    }
  }

  /** Ends the flow; returns when Kafka has all of it. */
  void stop() {
    cells.stop();
    hostile.stop();
    sessions.stop();
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

  WorkerSessions sessions() {
    return sessions;
  }

  /** What must have become of the records, when all has come to rest. */
  Expected expected() {
    return new Expected(lastOfEachRow(), hostile.fates(), Optional.of(trigger.deliveries()));
  }

  /** Cells that Kafka has, each with a key of its own, whoever wrote them. */
  long acknowledged() {
    return cells.acknowledged() + sessions.counts().writes();
  }

  /** The highest acknowledged ref_key of each row whose cells are known, whoever wrote them. */
  private Map<UUID, Long> lastOfEachRow() {
    var last = new HashMap<>(cells.lastOfEachRow());
    last.putAll(sessions.lastOfEachRow());
    return last;
  }

  TableDelays visibility() {
    return visibility;
  }

  IndexDelays index() {
    return index;
  }

  ChaosTrigger trigger() {
    return trigger;
  }

  /** Whether a cell has come to the index, and one to the trigger. */
  boolean followsLog() {
    return index.cells().hasBegun() && trigger.cells().hasBegun();
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
    if (sessions != null) {
      sessions.close();
    }
    retention.close();
    log.close();
    index.close();
    trigger.close();
    visibility.close();
  }

  private String bootstrap() {
    return victims.bootstrap();
  }
}
