package io.cellmesh.herb;

/**
 * Something that no retry mends and that a person has to look at, because going on would leave
 * cells out: another data centre than the one that was named, another layout, records that expired
 * unread. The message says what it is and how to go on.
 */
final class HaltException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HaltException(String message) {
    super(message);
  }
}
