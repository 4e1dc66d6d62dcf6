package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.DeadlineException;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads cells of one cluster: from the servers that are meant, else from another of the cluster,
 * until one answers or the deadline comes. No thread waits but those of the servers' lanes.
 * Thread-safe.
 */
public final class CellReads {
  /** How long the servers that are meant are waited for, before others are asked as well. */
  private static final Duration OWN_TURN = Duration.ofMillis(50);

  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofMillis(5);

  /** While no server answers; breakers are tried again in the background. */
  private static final Duration UNTIL_TRIED_AGAIN = Duration.ofMillis(100);

  private static final Duration FRESH = Duration.ofMillis(200);
  private static final Duration OLD = Duration.ofSeconds(2);

  private final ShardMap map;
  private final Lookups servers;
  private final ScheduledExecutorService timer;
  private final LongSupplier clock;
  private final AtomicInteger turn = new AtomicInteger();
  private final ConcurrentHashMap<String, Freshness> freshness = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, CompletableFuture<Void>> samples =
      new ConcurrentHashMap<>();

  /**
   * @param timer for pauses and deadlines
   * @param clock in nanoseconds
   */
  public CellReads(
      ShardMap map, ServerLanes servers, ScheduledExecutorService timer, LongSupplier clock) {
    this(map, (Lookups) servers, timer, clock);
  }

  CellReads(ShardMap map, Lookups servers, ScheduledExecutorService timer, LongSupplier clock) {
    this.map = map;
    this.servers = servers;
    this.timer = timer;
    this.clock = clock;
  }

  /**
   * How a read is to be answered.
   *
   * @param notBefore by partition, the offset of the ingest topic that the server must have passed
   */
  public record Terms(
      ReadFrom from, Map<Integer, Long> notBefore, Priority priority, Deadline deadline) {
    public Terms {
      notBefore = Map.copyOf(notBefore);
    }
  }

  /**
   * Reads, all of it from one server in one statement.
   *
   * @param cluster the name of the one that owns the rows
   * @return the answer; or an {@link OverloadedException}, or an {@link UnavailableException} if no
   *     server that may answer does so within the deadline
   */
  public CompletableFuture<Served> read(String cluster, List<? extends Ask> asks, Terms terms) {
    var reading = new Reading(cluster, asks, terms);
    long left = terms.deadline().left().toNanos();
    var end = timer.schedule(reading::late, left, TimeUnit.NANOSECONDS);
    reading.result.whenComplete((served, e) -> end.cancel(false));
    reading.next();
    return reading.result;
  }

  /** One read on its way from server to server. */
  private final class Reading {
    private final String cluster;
    private final List<? extends Ask> asks;
    private final Terms terms;
    private final Set<Integer> partitions;
    private final CompletableFuture<Served> result = new CompletableFuture<>();
    private final long begun = clock.getAsLong();
    private final int number = turn.getAndIncrement();

    /** Of the round that is under way; touched by one thread after the other. */
    private int asked;

    private int failed;
    private int full;

    /** Whether a server has passed the position, and was asked for what it lacked once more. */
    private boolean again;

    private volatile String why = "no server has answered yet";

    Reading(String cluster, List<? extends Ask> asks, Terms terms) {
      this.cluster = cluster;
      this.asks = asks;
      this.terms = terms;
      var shards = map.current().shards();
      this.partitions =
          asks.stream()
              .map(ask -> shards.partitionOf(shards.of(ask.rowKey())))
              .collect(Collectors.toSet());
    }

    void late() {
      result.completeExceptionally(
          new UnavailableException("no answer within the deadline: " + why));
    }

    void next() {
      if (result.isDone()) {
        return;
      }
      var owner = map.current().cluster(cluster);
      var order = order(owner);
      if (asked >= order.size()) {
        endRound(order.size());
        return;
      }
      var server = order.get(asked++);
      if (server.equals(owner.master())) {
        ask(owner, server);
      } else {
        sampled(owner).whenComplete((sample, e) -> ask(owner, server));
      }
    }

    private List<Server> order(StorageCluster owner) {
      var plan =
          ReadPlan.of(terms.from(), owner, servers::healthy, !terms.notBefore().isEmpty(), number);
      boolean waited = clock.getAsLong() - begun >= OWN_TURN.toNanos();
      return waited || failed + full >= plan.first().size() ? plan.all() : plan.first();
    }

    private void endRound(int size) {
      if (full == size) {
        result.completeExceptionally(new OverloadedException(why));
        return;
      }
      var pause = failed + full == size ? UNTIL_TRIED_AGAIN : UNTIL_ASKED_AGAIN;
      asked = 0;
      failed = 0;
      full = 0;
      timer.schedule(this::next, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void ask(StorageCluster owner, Server server) {
      CompletableFuture<Answer> answer;
      try {
        answer =
            servers.look(
                server, map.current(), partitions, asks, terms.priority(), terms.deadline());
      } catch (OverloadedException e) {
        full++;
        why = e.getMessage() + " has too much to do";
        next();
        return;
      }
      answer.whenComplete((said, e) -> heard(owner, server, said, e));
    }

    private void heard(StorageCluster owner, Server server, Answer said, Throwable e) {
      if (said != null) {
        map.saw(said.epochs());
      }
      if (e instanceof UnavailableException) {
        failed++;
        why = e.getMessage();
        next();
      } else if (e instanceof DeadlineException) {
        late();
      } else if (e != null) {
        result.completeExceptionally(e);
      } else if (!passed(said)) {
        why = server.address() + " has not come to the position yet";
        next();
      } else if (mayBeOnItsWay(said) && !again) {
        again = true;
        ask(owner, server);
      } else {
        result.complete(served(owner, server, said));
      }
    }

    /**
     * As with writes: a look that is under way while a cell is committed may find the position and
     * not the row. What was committed before a look began is in it.
     */
    private boolean mayBeOnItsWay(Answer said) {
      return said.found().stream().anyMatch(List::isEmpty)
          && partitions.stream().anyMatch(terms.notBefore()::containsKey);
    }

    private boolean passed(Answer said) {
      return partitions.stream()
          .filter(terms.notBefore()::containsKey)
          .allMatch(p -> position(said, p).of(IngestTopic.CELLS) > terms.notBefore().get(p));
    }

    private Served served(StorageCluster owner, Server server, Answer said) {
      boolean master = server.equals(owner.master());
      if (master && map.isCurrent(owner)) {
        return Served.byMaster(owner, server, said.found());
      }
      var positions = new HashMap<Integer, Position>();
      partitions.forEach(p -> positions.put(p, position(said, p)));
      var stale =
          master
              ? Optional.<Duration>empty()
              : freshness(owner).staleUpTo(positions, clock.getAsLong());
      return Served.byMinion(owner, server, stale, said.found());
    }
  }

  private static Position position(Answer said, int partition) {
    return said.positions().getOrDefault(partition, Position.START);
  }

  private Freshness freshness(StorageCluster cluster) {
    return freshness.computeIfAbsent(cluster.name(), name -> new Freshness());
  }

  /** Done when a minion's answer can be compared with what the master said not long ago. */
  private CompletableFuture<Void> sampled(StorageCluster cluster) {
    var age = freshness(cluster).age(clock.getAsLong());
    if (age.isPresent() && age.get().compareTo(FRESH) <= 0) {
      return CompletableFuture.completedFuture(null);
    }
    boolean old = age.isEmpty() || age.get().compareTo(OLD) > 0;
    var sample = samples.compute(cluster.name(), (name, now) -> underWay(cluster, now));
    return old ? sample : CompletableFuture.completedFuture(null);
  }

  /** Whoever comes while the master is asked already waits for that answer. */
  private CompletableFuture<Void> underWay(StorageCluster cluster, CompletableFuture<Void> now) {
    if (now != null && !now.isDone()) {
      return now;
    }
    if (!servers.healthy(cluster.master()) || !map.isCurrent(cluster)) {
      return CompletableFuture.completedFuture(null);
    }
    var topology = map.current();
    long asked = clock.getAsLong();
    try {
      return servers
          .look(
              cluster.master(),
              topology,
              partitions(topology),
              List.of(),
              Priority.HIGH,
              Deadline.in(ServerLanes.PATIENCE, clock))
          .<Void>thenApply(said -> saw(cluster, asked, said))
          .exceptionally(unanswered -> null);
    } catch (OverloadedException e) {
      return CompletableFuture.completedFuture(null);
    }
  }

  private Void saw(StorageCluster cluster, long asked, Answer said) {
    map.saw(said.epochs());
    if (map.isCurrent(cluster)) {
      freshness(cluster).saw(asked, said.positions());
    }
    return null;
  }

  private static List<Integer> partitions(Topology topology) {
    return IntStream.range(0, topology.shards().partitions()).boxed().toList();
  }
}
