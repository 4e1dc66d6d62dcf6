package io.cellmesh.herb;

import io.cellmesh.herb.wire.Batch;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far a link has read over HTTP: each batch begins where the one before ended, or is refused.
 * One thread advances, any may ask.
 */
final class LinkProgress {
  private final Map<Integer, Long> next;
  private final Map<Integer, Long> unwritten = new TreeMap<>();
  private final Map<Integer, Long> lags = new TreeMap<>();
  private volatile long behind;

  /**
   * @param next where the reading begins, by partition
   */
  LinkProgress(Map<Integer, Long> next) {
    this.next = new TreeMap<>(next);
  }

  /**
   * Refuses a batch that leaves something out, or repeats something, before anything of it is
   * taken.
   *
   * @throws IllegalStateException naming both offsets
   */
  void check(Batch batch) {
    for (var stretch : batch.stretches()) {
      var ended = next.get(stretch.partition());
      if (ended == null) {
        throw new IllegalStateException(
            "a batch covers partition %d, which was not asked for".formatted(stretch.partition()));
      }
      if (stretch.from() != ended) {
        throw new IllegalStateException(
            "a batch begins at offset %d of partition %d, and the one before ended at %d"
                .formatted(stretch.from(), stretch.partition(), ended));
      }
    }
  }

  /** Notes that all of a batch was taken. */
  void advance(Batch batch) {
    for (var stretch : batch.stretches()) {
      if (next.put(stretch.partition(), stretch.next()) != stretch.next()) {
        unwritten.put(stretch.partition(), stretch.next());
      }
      lags.put(stretch.partition(), Math.max(0, stretch.end() - stretch.next()));
    }
    behind = lags.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The places that have changed since {@link #written}, by partition. */
  Map<Integer, Long> unwritten() {
    return Map.copyOf(unwritten);
  }

  /**
   * Notes that those places are safe.
   *
   * @param but partitions whose places are others by now, or will be without a further batch
   */
  void written(Set<Integer> but) {
    unwritten.keySet().retainAll(but);
  }

  /** The offset of the next record to read, by partition. */
  Map<Integer, Long> next() {
    return new TreeMap<>(next);
  }

  /** Records that the peer's log has beyond. */
  long behind() {
    return behind;
  }
}
