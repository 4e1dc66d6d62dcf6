package io.cellmesh.worker.load;

/** Nobody who could answer does so just now; the same call may succeed a moment later. */
public final class UnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String what) {
    super(what, null, false, false);
  }
}
