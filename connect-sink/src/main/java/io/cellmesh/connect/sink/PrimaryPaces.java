package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Nodes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows how long each primary takes for statements and commits of its own, and so which one is
 * late: it takes many times as long as the fastest that takes writes. Where all are slow none is
 * late, since to go on without them would only double their work. Thread-safe.
 */
final class PrimaryPaces {
  /** So many times the fastest's time is late, and such a time never is. */
  private static final int LATE = 16;

  private static final double IN_TIME_NANOS = Duration.ofMillis(200).toNanos();

  private final Topology topology;
  private final Nodes nodes;
  private final Map<String, Pace> paces = new ConcurrentHashMap<>();

  PrimaryPaces(Topology topology, Nodes nodes) {
    this.topology = topology;
    this.nodes = nodes;
  }

  /** Notes that a primary has been asked, and returns the time, which tells the request apart. */
  long begin(StorageCluster primary) {
    long now = System.nanoTime();
    of(primary).begin(now);
    return now;
  }

  /**
   * Notes that a primary is done.
   *
   * @param begin what {@link #begin} returned
   * @param taken whether it did what it was asked
   * @return the nanoseconds that it took
   */
  long ended(StorageCluster primary, long begin, boolean taken) {
    long now = System.nanoTime();
    of(primary).ended(begin, now, taken);
    return now - begin;
  }

  /** The nanoseconds after which a primary is late unless it answers; none are left if it is. */
  long left(StorageCluster primary) {
    long now = System.nanoTime();
    double fastest =
        topology.clusters().stream()
            .filter(cluster -> nodes.of(cluster.master()).writable())
            .mapToDouble(cluster -> of(cluster).expected(now))
            .min()
            .orElse(0);
    return (long) (Math.max(IN_TIME_NANOS, LATE * fastest) - of(primary).expected(now));
  }

  boolean late(StorageCluster primary) {
    return left(primary) <= 0;
  }

  /** For how many nanoseconds a primary has owed an answer. */
  long owes(StorageCluster primary) {
    return of(primary).underWay(System.nanoTime());
  }

  private Pace of(StorageCluster primary) {
    return paces.computeIfAbsent(primary.name(), name -> new Pace());
  }
}
