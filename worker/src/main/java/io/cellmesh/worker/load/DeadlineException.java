package io.cellmesh.worker.load;

/** The deadline came before the work's turn. */
public final class DeadlineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DeadlineException(String what) {
    super(what, null, false, false);
  }
}
