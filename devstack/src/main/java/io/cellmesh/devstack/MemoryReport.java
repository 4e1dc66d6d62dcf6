package io.cellmesh.devstack;

import java.util.Map;
import java.util.TreeMap;

/**
 * The memory of a stack's processes, in KiB, by {@link Child#kind()}: shared pages are counted once
 * where the system can say so (PSS on Linux), several times elsewhere (RSS).
 *
 * @param now at the time of the report
 * @param peak the highest sum of all that was seen
 */
public record MemoryReport(Map<String, Long> now, long peak) {
  public MemoryReport {
    now = Map.copyOf(new TreeMap<>(now));
  }

  public long total() {
    return sum(now);
  }

  static long sum(Map<String, Long> byKind) {
    return byKind.values().stream().mapToLong(Long::longValue).sum();
  }
}
