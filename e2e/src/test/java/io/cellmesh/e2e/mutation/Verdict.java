package io.cellmesh.e2e.mutation;

/** What became of a mutation. */
sealed interface Verdict {
  /** The test failed, and said so. */
  record Killed(String failure) implements Verdict {}

  /**
   * Nothing noticed it.
   *
   * @param why in words: the test passed, or something else than the test failed
   */
  record Survived(String why) implements Verdict {}
}
