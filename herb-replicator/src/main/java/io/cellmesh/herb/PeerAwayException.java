package io.cellmesh.herb;

/** A peer that does not answer, or no longer; the link waits and asks again. */
final class PeerAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PeerAwayException(String message) {
    super(message);
  }

  PeerAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
