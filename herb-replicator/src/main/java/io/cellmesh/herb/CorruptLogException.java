package io.cellmesh.herb;

/** A record of a peer's log that can't be one: the log is our own format, so this is damage. */
final class CorruptLogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptLogException(String message) {
    super(message);
  }
}
