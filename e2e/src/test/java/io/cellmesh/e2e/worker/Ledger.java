package io.cellmesh.e2e.worker;

import io.cellmesh.cell.CellKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Every answer that a {@link Flow} had, and what an own look had to say against it. */
final class Ledger {
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> lies = new ArrayList<>();

  /** What was asked. */
  enum Kind {
    PUT,
    GET
  }

  /**
   * One call.
   *
   * @param cluster the primary of its cell
   * @param told the class of the answer's kind; {@code absent} or {@code found} of reads, {@code
   *     failed} without one
   * @param by the server that answered a read
   * @param why it failed
   */
  record Entry(
      Kind kind,
      CellKey key,
      String cluster,
      String told,
      String by,
      long begun,
      long ended,
      String why) {
    Duration took() {
      return Duration.ofNanos(ended - begun);
    }

    boolean failed() {
      return told.equals(FAILED);
    }
  }

  static final String FAILED = "failed";

  synchronized void add(Entry entry) {
    entries.add(entry);
  }

  /** Something was told that is not true. */
  synchronized void lie(String what) {
    lies.add(what);
  }

  synchronized List<String> lies() {
    return List.copyOf(lies);
  }

  /** Those that began at a moment or later. */
  synchronized List<Entry> since(long nanos) {
    return where(entry -> entry.begun() - nanos >= 0);
  }

  synchronized List<Entry> where(Predicate<Entry> predicate) {
    return entries.stream().filter(predicate).toList();
  }

  /** What was told, how often, by kind and cluster; for reports and messages. */
  static String counts(List<Entry> entries) {
    Map<String, Long> counts =
        entries.stream()
            .collect(
                Collectors.groupingBy(
                    e -> "%s %s %s".formatted(e.kind(), e.cluster(), e.told()),
                    TreeMap::new,
                    Collectors.counting()));
    return counts.toString();
  }

  /** The time in which so many of 100 had an answer; those that failed count as well. */
  static Duration percentile(int percent, List<Entry> entries) {
    var times = entries.stream().map(Entry::took).sorted().toList();
    return times.isEmpty() ? Duration.ZERO : times.get((times.size() * percent - 1) / 100);
  }

  /** Median, 99th percentile and maximum, for reports. */
  static String times(List<Entry> entries) {
    return "%d in p50 %d ms, p99 %d ms, max %d ms"
        .formatted(
            entries.size(),
            percentile(50, entries).toMillis(),
            percentile(99, entries).toMillis(),
            percentile(100, entries).toMillis());
  }
}
