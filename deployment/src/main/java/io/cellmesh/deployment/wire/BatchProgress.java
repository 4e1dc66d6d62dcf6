package io.cellmesh.deployment.wire;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far batches have been read: each begins where the one before ended, or is refused. One thread
 * advances, any may ask.
 */
public final class BatchProgress {
  private final Map<Integer, Long> next;
  private final Map<Integer, Long> unwritten = new TreeMap<>();
  private final Map<Integer, Long> lags = new TreeMap<>();
  private volatile long behind;

  /**
   * @param next where the reading begins, by partition
   */
  public BatchProgress(Map<Integer, Long> next) {
    this.next = new TreeMap<>(next);
  }

  /**
   * Refuses a batch that leaves something out, or repeats something, before anything of it is
   * taken.
   *
   * @throws IllegalStateException naming both offsets
   */
  public void check(Batch batch) {
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
  public void advance(Batch batch) {
    for (var stretch : batch.stretches()) {
      if (next.put(stretch.partition(), stretch.next()) != stretch.next()) {
        unwritten.put(stretch.partition(), stretch.next());
      }
      lags.put(stretch.partition(), Math.max(0, stretch.end() - stretch.next()));
    }
    behind = lags.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Where the reading goes on, by partition. */
  public Map<Integer, Long> next() {
    return Map.copyOf(next);
  }

  /** Reads no further in a partition. */
  public void leave(int partition) {
    next.remove(partition);
    lags.remove(partition);
  }

  /** The places that have changed since {@link #written}, by partition. */
  public Map<Integer, Long> unwritten() {
    return Map.copyOf(unwritten);
  }

  /**
   * Notes that those places are safe.
   *
   * @param but partitions whose places are others by now, or will be without a further batch
   */
  public void written(Set<Integer> but) {
    unwritten.keySet().retainAll(but);
  }

  /** Records that the peer's log has beyond. */
  public long behind() {
    return behind;
  }
}
