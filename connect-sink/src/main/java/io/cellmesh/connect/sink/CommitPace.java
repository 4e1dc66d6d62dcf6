package io.cellmesh.connect.sink;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * Says when a commit is to be asked for, sooner than Connect would commit by itself. While a
 * primary is behind, only the committed offset tells those who wait for its cells that these are
 * secured: at most once a second. And only that offset tells links that more of the mesh may come:
 * as soon as some partition has a part of a link's window since the last commit, at most ten times
 * a second. All times are those of {@link System#nanoTime}. Not thread-safe.
 */
final class CommitPace {
  static final long EVERY = TimeUnit.SECONDS.toNanos(1);

  /** For links, which wait for it. */
  static final long OFTEN = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * So many records of a partition. No link's window may be smaller ({@code mesh.window} of a
   * deployment), or it would wait for Connect's own commit.
   */
  static final int PART_OF_A_WINDOW = 100;

  private final Map<TopicPartition, Integer> written = new HashMap<>();
  private long asked;

  CommitPace(long now) {
    this.asked = now;
  }

  /** Notes that a record of a partition of the mesh was written. */
  void wrote(TopicPartition at) {
    written.merge(at, 1, Integer::sum);
  }

  /** Notes that all of it is committed. */
  void committed() {
    written.clear();
  }

  /** Whether it is time; if so, it is taken to be asked for now. */
  boolean isDue(boolean behind, long now) {
    long since = now - asked;
    boolean due = behind && since >= EVERY || linksWait() && since >= OFTEN;
    if (due) {
      asked = now;
    }
    return due;
  }

  private boolean linksWait() {
    return written.values().stream().anyMatch(count -> count >= PART_OF_A_WINDOW);
  }
}
