package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Cells that are to come out somewhere, and for how long. Safe for several threads. */
final class Awaited {
  private final Map<Cell, Long> expected = new LinkedHashMap<>();

  /** The highest ref_key of each row that came; a producer may learn later than whoever reads. */
  private final Map<UUID, Long> came = new HashMap<>();

  private long longest;

  /** A cell, as far as the flow's cells need telling apart. */
  record Cell(UUID row, long ref) {}

  /** A cell was acknowledged just now: its delay counts from here. */
  synchronized void expect(UUID row, long ref) {
    if (came.getOrDefault(row, 0L) < ref) {
      expected.put(new Cell(row, ref), System.nanoTime());
    }
  }

  /**
   * A cell came out, whether or not it was expected.
   *
   * @return its delay, if it was
   */
  synchronized Optional<Duration> arrived(UUID row, long ref) {
    came.merge(row, ref, Math::max);
    var since = expected.remove(new Cell(row, ref));
    if (since == null) {
      return Optional.empty();
    }
    long delay = System.nanoTime() - since;
    longest = Math.max(longest, delay);
    return Optional.of(Duration.ofNanos(delay));
  }

  /** Whether one that was expected has come. */
  synchronized boolean hasBegun() {
    return longest > 0;
  }

  /** Those that have not come, and since when they are expected, by {@link System#nanoTime}. */
  synchronized Map<Cell, Long> waiting() {
    return Map.copyOf(expected);
  }

  /** Those that were expected first, at most so many. */
  synchronized List<Cell> first(int count) {
    return new ArrayList<>(expected.keySet().stream().limit(count).toList());
  }

  /** How long the oldest expected cell has been waited for; zero if none is. */
  synchronized Duration oldest() {
    return expected.values().stream()
        .findFirst()
        .map(since -> Duration.ofNanos(System.nanoTime() - since))
        .orElse(Duration.ZERO);
  }

  /** The longest delay so far. */
  synchronized Duration longest() {
    return Duration.ofNanos(longest);
  }
}
