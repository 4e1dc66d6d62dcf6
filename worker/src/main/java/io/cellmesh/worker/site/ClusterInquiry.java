package io.cellmesh.worker.site;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.CellLookup;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import io.cellmesh.worker.load.Interval;
import io.cellmesh.worker.load.UnavailableException;
import io.cellmesh.worker.position.Inquiry;
import io.cellmesh.worker.position.Observation;
import io.cellmesh.worker.position.Observation.Buffer;
import io.cellmesh.worker.position.Observation.MinionPositions;
import io.cellmesh.worker.position.Observation.Sight;
import io.cellmesh.worker.position.Outage;
import io.cellmesh.worker.position.Question;
import io.cellmesh.worker.read.ServerLanes;
import io.cellmesh.worker.read.ShardMap;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of one cluster what a watch wants to know: the master with one statement, the
 * minions only if wanted, the sink's offsets and the buffers of the other clusters while the master
 * is away. Called by one thread.
 */
final class ClusterInquiry implements Inquiry {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterInquiry.class);

  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  /** Nobody else is to be kept busy by an outage. */
  private static final Duration BETWEEN_BUFFERS = Duration.ofMillis(500);

  /** Of a partition; what ends behind them waits until those before it are done. */
  private static final int MOST_COPIES = 500;

  private final String name;
  private final ShardMap map;
  private final ServerLanes servers;
  private final Committed committed;
  private final Clock clock;
  private final Interval complaints;
  private final Interval buffers;

  /** Since when the master is away; null while it is not. */
  private Instant away;

  /**
   * @param clock by which an outage is told
   * @param nanos by which it is paced
   */
  ClusterInquiry(
      String name,
      ShardMap map,
      ServerLanes servers,
      Committed committed,
      Clock clock,
      LongSupplier nanos) {
    this.name = name;
    this.map = map;
    this.servers = servers;
    this.committed = committed;
    this.clock = clock;
    this.complaints = new Interval(nanos);
    this.buffers = new Interval(nanos);
  }

  @Override
  public Observation look(Question question) {
    var cluster = map.current().cluster(name);
    var master = master(cluster, question);
    var outage = outage(cluster, master);
    var next =
        outage.isPresent() || question.secured() ? committed.next() : Map.<Integer, Long>of();
    return new Observation(
        master.map(answer -> sight(question, answer)),
        question.minions() && master.isPresent()
            ? Optional.of(minions(cluster, question.partitions()))
            : Optional.empty(),
        next,
        outage.isPresent() ? buffers(waitedFor(question, next)) : List.of(),
        outage);
  }

  /** What the sink's offset says nothing of. */
  private static Map<Integer, Long> waitedFor(Question question, Map<Integer, Long> committed) {
    var offsets = new HashMap<>(question.offsets());
    offsets.entrySet().removeIf(at -> committed.getOrDefault(at.getKey(), 0L) > at.getValue());
    return offsets;
  }

  /**
   * Asks the servers of all other clusters, minions too, for copies. Of two clusters the sink's
   * offset stands still while the master of one is away, and the copies stand in the other's buffer
   * all the same.
   */
  private List<Buffer> buffers(Map<Integer, Long> offsets) {
    if (offsets.isEmpty() || !buffers.hasPassed(BETWEEN_BUFFERS)) {
      return List.of();
    }
    var table = new BufferTable(map.current());
    return map.current().clusters().stream()
        .filter(other -> !other.name().equals(name))
        .flatMap(other -> other.servers().stream())
        .flatMap(
            server ->
                ask(server, c -> table.covered(c, name, IngestTopic.CELLS, offsets, MOST_COPIES))
                    .stream())
        .map(Buffer::new)
        .toList();
  }

  /** Empty also if it is not the master any more, for which another server's word is enough. */
  private Optional<Answer> master(StorageCluster cluster, Question question) {
    var asks = question.keys().stream().map(Ask.One::new).toList();
    var answer = ask(cluster.master(), question.partitions(), asks);
    answer.ifPresent(said -> map.saw(said.epochs()));
    return answer.filter(said -> map.isCurrent(cluster));
  }

  private Optional<Outage> outage(StorageCluster cluster, Optional<Answer> master) {
    boolean works = master.isPresent() && !master.get().readOnly();
    if (works) {
      away = null;
      return Optional.empty();
    }
    if (away == null) {
      away = clock.instant();
      LOG.warn("{}: the master {} is away", name, cluster.master().address());
    }
    return Optional.of(new Outage(name, cluster.master().address(), away));
  }

  private List<MinionPositions> minions(StorageCluster cluster, Set<Integer> partitions) {
    return cluster.minions().stream()
        .map(minion -> ask(minion, partitions, List.of()))
        .map(said -> new MinionPositions(said.map(ClusterInquiry::next).orElse(Map.of())))
        .toList();
  }

  private Optional<Answer> ask(Server server, Set<Integer> partitions, List<Ask.One> asks) {
    var lookup = new CellLookup(map.current());
    return ask(server, c -> lookup.ask(c, partitions, asks));
  }

  private <T> Optional<T> ask(Server server, ConnectionCallback<T> question) {
    try {
      return Optional.of(servers.ask(server, question));
    } catch (UnavailableException e) {
      LOG.debug("{}: {}", name, e.getMessage());
      return Optional.empty();
    } catch (SQLException e) {
      complain(server, e);
      return Optional.empty();
    }
  }

  /** Once in a while; it is asked hundreds of times a second. */
  private void complain(Server server, SQLException e) {
    if (complaints.hasPassed(BETWEEN_COMPLAINTS)) {
      LOG.error("{}: {} refuses to answer: {}", name, server, e.getMessage());
    }
  }

  private static Sight sight(Question question, Answer said) {
    var rows = new HashMap<CellKey, Body>();
    said.found().forEach(found -> found.forEach(r -> rows.put(r.cell().key(), r.cell().body())));
    return new Sight(next(said), Set.copyOf(question.keys()), rows);
  }

  private static Map<Integer, Long> next(Answer said) {
    var next = new HashMap<Integer, Long>();
    said.positions().forEach((partition, at) -> next.put(partition, of(at)));
    return next;
  }

  private static long of(Position position) {
    return position.of(IngestTopic.CELLS);
  }
}
