package io.cellmesh.operations.mesh.scrub;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Says which partition is looked at next: of those that this process has, the one that was looked
 * at longest ago, by whomever. A look counts from its beginning, however it ends, so that one which
 * fails each time holds up no other. For one thread.
 */
final class LookOrder {
  private final LongSupplier clock;

  /** When each was looked at last that this process ever had, by the clock. */
  private final Map<Integer, Long> lookedAt = new HashMap<>();

  private final Set<Integer> has = new HashSet<>();

  /**
   * @param clock in nanoseconds, which nobody sets
   */
  LookOrder(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Takes in which partitions this process has now.
   *
   * @return those that it had not before: others may have looked at them since
   */
  List<Integer> share(Set<Integer> partitions) {
    has.retainAll(partitions);
    return partitions.stream().filter(partition -> !has.contains(partition)).toList();
  }

  /**
   * Takes in a partition of which was found out when others looked at it.
   *
   * @param ago how long ago that was; empty if they never have. Where their clock is ahead of this
   *     one it is below zero, and counts as none
   */
  void add(int partition, Optional<Duration> ago) {
    has.add(partition);
    ago.map(since -> clock.getAsLong() - Math.max(0, since.toNanos()))
        .ifPresent(at -> lookedAt.merge(partition, at, LookOrder::later));
  }

  /** Notes that a look begins, or has ended. */
  void looked(int partition) {
    lookedAt.put(partition, clock.getAsLong());
  }

  /** The one to look at now; empty if each was looked at within an interval. */
  Optional<Integer> next(Duration interval) {
    long now = clock.getAsLong();
    return has.stream()
        .max((one, other) -> Long.compare(age(one, now), age(other, now)))
        .filter(partition -> age(partition, now) >= interval.toNanos());
  }

  private long age(int partition, long now) {
    var at = lookedAt.get(partition);
    return at == null ? Long.MAX_VALUE : now - at;
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }
}
