package io.cellmesh.herb;

/**
 * A record of a peer's log that can't be one: the log is our own format, so this is damage or
 * another instance's topic, and the link stops rather than leave something out.
 */
final class CorruptLogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptLogException(String message) {
    super(message);
  }
}
