package io.cellmesh.operations.mesh.scrub;

import io.cellmesh.cell.proof.TableVerdict;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What a scrub has counted since the process began; one thread counts, any may look. */
public final class ScrubFigures {
  private final AtomicLong rows = new AtomicLong();
  private final Map<Integer, TableVerdict> verdicts = new ConcurrentHashMap<>();
  private volatile boolean running;

  /** Whether it reads, or rests because all was read of late. */
  public boolean isRunning() {
    return running;
  }

  /** Rows that were read. */
  public long rows() {
    return rows.get();
  }

  /** Differences in the partitions that this process has, as they were read last. */
  public long differences() {
    return verdicts.values().stream().mapToLong(TableVerdict::found).sum();
  }

  /**
   * When the one of its partitions was read that was read longest ago, in milliseconds since 1970;
   * empty while it has none that was.
   */
  public OptionalLong oldest() {
    return verdicts.values().stream().mapToLong(TableVerdict::at).min();
  }

  void running(boolean is) {
    running = is;
  }

  void read(int more) {
    rows.addAndGet(more);
  }

  void told(TableVerdict verdict) {
    verdicts.put(verdict.partition(), verdict);
  }

  /** Others tell of the rest. */
  void keep(Collection<Integer> partitions) {
    verdicts.keySet().retainAll(partitions);
  }
}
