package io.cellmesh.herb;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far the consumers of a run are behind the end of the peer's log. Kafka's own figure of that
 * is as old as the last fetch: of a partition that is read slowly, minutes. Thread-safe.
 */
final class LogBehind {
  private final Map<Integer, Place> places = new ConcurrentHashMap<>();
  private final LongAdder read = new LongAdder();

  private record Place(long next, long end) {}

  /** Notes where a partition is read on, and an end of it, which an older one does not undo. */
  void at(int partition, long next, long end) {
    places.merge(
        partition,
        new Place(next, end),
        (before, now) -> {
          read.add(Math.max(0, now.next - before.next));
          return new Place(now.next, Math.max(before.end, now.end));
        });
  }

  /** Somebody else reads partitions now, or nobody. */
  void leave(Collection<Integer> partitions) {
    places.keySet().removeAll(partitions);
  }

  /** Records that were read since the run began. */
  long read() {
    return read.sum();
  }

  /** Records that were not read yet. */
  long records() {
    return places.values().stream().mapToLong(at -> Math.max(0, at.end - at.next)).sum();
  }
}
