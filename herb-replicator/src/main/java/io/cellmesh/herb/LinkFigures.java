package io.cellmesh.herb;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** What a link has counted since the process began; any thread may count, and look. */
final class LinkFigures {
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong rebuilt = new AtomicLong();
  private final AtomicLong stepsBack = new AtomicLong();
  private final AtomicLong setAside = new AtomicLong();
  private final AtomicLong restarts = new AtomicLong();
  private final AtomicLong lagMs = new AtomicLong(-1);
  private final Map<String, Long> unlinked = new ConcurrentSkipListMap<>();

  /** Counts since the process began. */
  record Counts(long restarts, long setAside, long stepsBack, long taken) {}

  void taken() {
    taken.incrementAndGet();
  }

  /** Counts a cell of the peer that a rebuild has put into its log. */
  void rebuilt() {
    rebuilt.incrementAndGet();
  }

  long stepBack() {
    return stepsBack.incrementAndGet();
  }

  void setAside() {
    setAside.incrementAndGet();
  }

  void restart() {
    restarts.incrementAndGet();
  }

  /** Notes how old a record was when it was read; below 0 if two clocks differ. */
  void lag(long millis) {
    lagMs.setOpaque(Math.max(0, millis));
  }

  /** Counts cells of a data centre of which there is no link; returns how many there were. */
  long unlinked(String origin, long cells) {
    return unlinked.merge(origin, cells, Long::sum);
  }

  Counts counts() {
    return new Counts(restarts.get(), setAside.get(), stepsBack.get(), taken.get());
  }

  /** Cells that were written to the mesh topic. */
  long brought() {
    return taken.get();
  }

  /** Of these, and of those on their way, cells that a rebuild has put into the peer's log. */
  long broughtRebuilt() {
    return rebuilt.get();
  }

  /** How old the record was that was read last, in milliseconds; empty before the first. */
  OptionalLong lagMs() {
    long lag = lagMs.getOpaque();
    return lag < 0 ? OptionalLong.empty() : OptionalLong.of(lag);
  }

  /** Cells that stayed there because their origin has no link here, by origin. */
  Map<String, Long> unlinked() {
    return new TreeMap<>(unlinked);
  }
}
