package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.Position;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Asks masters how far they have their ingest partitions, so that what their minions answer can be
 * compared with it; while nobody asks a minion, nobody is asked. Thread-safe.
 */
final class MasterSamples {
  /** What is older is asked for again in the background. */
  private static final Duration FRESH = Duration.ofMillis(200);

  /** What is older is waited for. */
  private static final Duration OLD = Duration.ofSeconds(2);

  private final ShardMap map;
  private final Lookups servers;
  private final LongSupplier clock;
  private final ConcurrentHashMap<String, Freshness> freshness = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, CompletableFuture<Void>> samples =
      new ConcurrentHashMap<>();

  /**
   * @param clock in nanoseconds
   */
  MasterSamples(ShardMap map, Lookups servers, LongSupplier clock) {
    this.map = map;
    this.servers = servers;
    this.clock = clock;
  }

  /**
   * Done when a minion's answer can be compared with what the master said not long ago, or the
   * master does not say it.
   */
  CompletableFuture<Void> fresh(StorageCluster cluster) {
    var age = of(cluster).age(clock.getAsLong());
    if (age.isPresent() && age.get().compareTo(FRESH) <= 0) {
      return CompletableFuture.completedFuture(null);
    }
    boolean old = age.isEmpty() || age.get().compareTo(OLD) > 0;
    var sample = samples.compute(cluster.name(), (name, now) -> underWay(cluster, now));
    return old ? sample : CompletableFuture.completedFuture(null);
  }

  /** How much of the master's an answer with these positions may lack; empty if nobody can tell. */
  Optional<Duration> staleUpTo(StorageCluster cluster, Map<Integer, Position> positions) {
    return of(cluster).staleUpTo(positions, clock.getAsLong());
  }

  private Freshness of(StorageCluster cluster) {
    return freshness.computeIfAbsent(cluster.name(), name -> new Freshness());
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

  /** One that is closed may be an old backup, which has less than its minions. */
  private Void saw(StorageCluster cluster, long asked, Answer said) {
    map.saw(said.epochs());
    if (map.isCurrent(cluster) && !said.readOnly()) {
      of(cluster).saw(asked, said.positions());
    }
    return null;
  }

  private static List<Integer> partitions(Topology topology) {
    return IntStream.range(0, topology.shards().partitions()).boxed().toList();
  }
}
