package io.cellmesh.connect.sink.index;

/**
 * Guesses whether the next batch holds only entries that no table has yet, as most do while rows
 * come that are new. Such a batch can be inserted plainly, which takes a master two thirds of the
 * time of the guarded statements. One entry that stands already spoils the whole attempt, so after
 * one the batches are guarded for a while without trying.
 *
 * <p>A wrong guess costs time and nothing else: a plain insert never changes a row.
 */
final class Novelty {
  /**
   * Batches that are guarded after a wrong guess, so that guessing wrong costs two in a hundred.
   */
  private static final int GUARDED = 50;

  private int guarded;

  /** Whether the next batch should be tried as new. */
  boolean expected() {
    if (guarded > 0) {
      guarded--;
      return false;
    }
    return true;
  }

  /** It was not. */
  void refuted() {
    guarded = GUARDED;
  }
}
