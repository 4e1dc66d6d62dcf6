package io.cellmesh.storage;

/** More was asked for than is read into memory at once. */
public final class AnswerTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AnswerTooLargeException(String what) {
    super(what, null, false, false);
  }
}
