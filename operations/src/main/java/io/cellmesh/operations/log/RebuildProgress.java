package io.cellmesh.operations.log;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.storage.EntityCounts;
import java.util.Optional;

/**
 * How far the rebuild of one cluster is. What Connect has stored is exact, but as old as its last
 * flush; in between, the growth of the log tells how much came since.
 */
final class RebuildProgress {
  private final EntityCounts rows;
  private final long total;
  private long stored;
  private long ends;
  private long shown;
  private boolean finished;
  private Optional<LogOffset> last = Optional.empty();

  /**
   * @param rows of the cluster's shards
   * @param shards that are rebuilt
   */
  RebuildProgress(EntityCounts rows, ShardSet shards) {
    this.rows = rows;
    this.total = shards.stream().mapToLong(shard -> rows.of(shard).rows()).sum();
  }

  /** Rows to read altogether. */
  long total() {
    return total;
  }

  /**
   * Takes in what was found just now.
   *
   * @param offset that Connect has stored
   * @param logEnds the sum of the end offsets of the partitions that hold the shards
   * @return rows done, at most {@link #total}; it never falls
   */
  long look(Optional<LogOffset> offset, long logEnds) {
    if (last.isEmpty() || !last.equals(offset)) {
      last = offset;
      stored = total - offset.map(this::remaining).orElse(total);
      ends = logEnds;
      finished = offset.isPresent() && offset.get().rebuild().isEmpty();
    }
    long growth = Math.max(0, logEnds - ends);
    // Cells that came meanwhile make the log grow, too, and it is not done before Connect says so.
    long now = finished ? total : Math.min(stored + growth, Math.max(stored, total - 1));
    shown = Math.max(shown, now);
    return shown;
  }

  boolean isFinished() {
    return finished;
  }

  private long remaining(LogOffset offset) {
    if (offset.rebuild().isEmpty()) {
      return 0;
    }
    long left = offset.rebuild().get().stream().mapToLong(s -> rows.of(s).rows()).sum();
    if (offset.behind().isPresent()) {
      var within = rows.of(offset.behind().get().shard());
      long addedId = Math.min(offset.behind().get().addedId(), within.last());
      left -= within.last() == 0 ? 0 : (long) (within.rows() * ((double) addedId / within.last()));
    }
    return Math.max(0, Math.min(total, left));
  }
}
