package io.cellmesh.herb;

/** Ends a run that has read a seed to its end: the log comes next. */
final class SeedReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SeedReadException() {
    super("the seed is read", null, false, false);
  }
}
