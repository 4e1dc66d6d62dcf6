package io.cellmesh.e2e.index;

import io.cellmesh.e2e.faults.Figures;

/**
 * How much, as {@link Figures} has it.
 *
 * @param trips that stand before the first query
 * @param queries compared with a scan of the entities, in each station of the index's life
 * @param kills of the index-streams process
 * @param rate trips a second that come meanwhile
 */
record IndexFigures(int trips, int queries, int kills, int rate) {
  private static final IndexFigures FULL = new IndexFigures(100_000, 1_000, 10, 200);
  static final IndexFigures SHORT = new IndexFigures(2_000, 100, 2, 100);

  static IndexFigures ofThisRun() {
    return Figures.isFull() ? FULL : SHORT;
  }
}
