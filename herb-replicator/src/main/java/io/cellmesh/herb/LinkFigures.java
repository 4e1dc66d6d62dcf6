package io.cellmesh.herb;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** What a link has counted since the process began; one thread counts, any may look. */
final class LinkFigures {
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong stepsBack = new AtomicLong();
  private final AtomicLong setAside = new AtomicLong();
  private final AtomicLong restarts = new AtomicLong();
  private final Map<String, Long> unlinked = new ConcurrentSkipListMap<>();

  void taken() {
    taken.incrementAndGet();
  }

  long stepBack() {
    return stepsBack.incrementAndGet();
  }

  long setAside() {
    return setAside.incrementAndGet();
  }

  void restart() {
    restarts.incrementAndGet();
  }

  /** Counts a cell of a data centre of which there is no link; returns how many there were. */
  long unlinked(String origin) {
    return unlinked.merge(origin, 1L, Long::sum);
  }

  /** By their names in metrics. */
  Map<String, Long> counts() {
    var counts = new TreeMap<String, Long>();
    counts.put("taken", taken.get());
    counts.put("steps_back", stepsBack.get());
    counts.put("set_aside", setAside.get());
    counts.put("restarts", restarts.get());
    return counts;
  }

  /** Cells that stayed there because their origin has no link here, by origin. */
  Map<String, Long> unlinked() {
    return new TreeMap<>(unlinked);
  }
}
