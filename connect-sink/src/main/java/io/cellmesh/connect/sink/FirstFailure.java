package io.cellmesh.connect.sink;

/**
 * Keeps the first failure of several steps that are all done, whatever becomes of the others. Not
 * thread-safe.
 */
final class FirstFailure {
  private RuntimeException first;

  /** Does a step. */
  void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      if (first == null) {
        first = e;
      } else if (first != e) {
        first.addSuppressed(e);
      }
    }
  }

  /** Throws what went wrong first, if anything did. */
  void rethrow() {
    if (first != null) {
      throw first;
    }
  }
}
