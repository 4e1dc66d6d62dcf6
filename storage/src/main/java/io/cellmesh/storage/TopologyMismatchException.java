package io.cellmesh.storage;

/** The topology contradicts what is fixed in the database; the message has the value to restore. */
public final class TopologyMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TopologyMismatchException(String message) {
    super(message);
  }
}
