package io.cellmesh.deployment.peer;

/** A peer that does not answer, or no longer; whoever asks waits and asks again. */
public final class PeerAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PeerAwayException(String message) {
    super(message);
  }

  public PeerAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
