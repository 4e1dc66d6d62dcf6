package io.cellmesh.worker.load;

/** There is more to do than can be done, and a call was not even begun. */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OverloadedException(String what) {
    // Without a stack trace: there are many of them just when time is short.
    super(what, null, false, false);
  }
}
