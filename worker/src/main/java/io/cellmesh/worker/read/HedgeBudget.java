package io.cellmesh.worker.read;

/**
 * Lets so many of a hundred reads be asked of a second server, and a few more at once that were
 * saved up. So a cluster that is slow as a whole gets that little more to do, and not twice as
 * much. Thread-safe.
 */
final class HedgeBudget {
  /** Hedges that are saved up while all is well. */
  private static final int AT_ONCE = 10;

  private final int readsAHedge;
  private int saved;

  /**
   * @param percent most hedges of a hundred reads
   */
  HedgeBudget(int percent) {
    this.readsAHedge = 100 / percent;
  }

  synchronized void deposit() {
    saved = Math.min(AT_ONCE * readsAHedge, saved + 1);
  }

  synchronized boolean hasOne() {
    return saved >= readsAHedge;
  }

  /** Takes one; false if none is left. */
  synchronized boolean withdraw() {
    if (!hasOne()) {
      return false;
    }
    saved -= readsAHedge;
    return true;
  }
}
