package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.ServerHealth;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

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
  private final ServerHealth health;
  private final LongSupplier clock;
  private final Map<String, Pace> paces = new ConcurrentHashMap<>();

  /**
   * @param clock of {@link System#nanoTime}
   */
  PrimaryPaces(Topology topology, ServerHealth health, LongSupplier clock) {
    this.topology = topology;
    this.health = health;
    this.clock = clock;
  }

  /** Notes that a primary has been asked, and returns the time, which tells the request apart. */
  long begin(StorageCluster primary) {
    long now = clock.getAsLong();
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
    long now = clock.getAsLong();
    of(primary).ended(begin, now, taken);
    return now - begin;
  }

  /** The nanoseconds after which a primary is late unless it answers; none are left if it is. */
  long left(StorageCluster primary) {
    long now = clock.getAsLong();
    double fastest =
        topology.clusters().stream()
            .filter(cluster -> health.writable(cluster.master()))
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
    return of(primary).underWay(clock.getAsLong());
  }

  private Pace of(StorageCluster primary) {
    return paces.computeIfAbsent(primary.name(), name -> new Pace());
  }
}
