package io.cellmesh.herb;

import java.util.concurrent.atomic.AtomicLong;

/** What a folding has counted since the process began; one thread counts, any may look. */
final class FoldFigures {
  private final AtomicLong folded = new AtomicLong();
  private final AtomicLong damaged = new AtomicLong();
  private final AtomicLong cut = new AtomicLong();
  private volatile long behind;

  void folded() {
    folded.incrementAndGet();
  }

  long damaged() {
    return damaged.incrementAndGet();
  }

  /** Counts a partition of which records had expired before they were folded. */
  void cut() {
    cut.incrementAndGet();
  }

  void behind(long records) {
    behind = records;
  }

  /** What was counted; behind is how many records were not folded yet. */
  record Counts(long behind, long folded, long damaged, long cut) {}

  Counts counts() {
    return new Counts(behind, folded.get(), damaged.get(), cut.get());
  }
}
