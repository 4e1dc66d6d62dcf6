package io.cellmesh.deployment.peer;

/**
 * A peer that does not let this data centre read, or is another one than was named: a person has to
 * look at it. The message says what it is.
 */
public final class PeerRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PeerRefusedException(String message) {
    super(message);
  }
}
