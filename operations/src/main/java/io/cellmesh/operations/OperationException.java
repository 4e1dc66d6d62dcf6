package io.cellmesh.operations;

/** Ends an operation with a message for whoever asked for it. */
public final class OperationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  private OperationException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What it was that ended the operation. */
  public enum Kind {
    /** It was begun and did not succeed, a check failed, or what was asked for does not exist. */
    FAILED,
    /** As things stand it would do harm: whoever asks has to mend something else first. */
    REFUSED,
    /** The request, its input or the configuration is wrong. */
    INVALID,
    /** Something outside is missing or does not answer; the same may succeed later. */
    UNAVAILABLE
  }

  /** It was begun and did not succeed, a check failed, or what was asked for does not exist. */
  public static OperationException failed(String message) {
    return new OperationException(Kind.FAILED, message, null);
  }

  /** As things stand it would do harm; the message says what to mend first. */
  public static OperationException refused(String message) {
    return new OperationException(Kind.REFUSED, message, null);
  }

  /** The request, its input or the configuration is wrong. */
  public static OperationException invalid(String message) {
    return new OperationException(Kind.INVALID, message, null);
  }

  /** Something outside is missing or does not answer. */
  public static OperationException unavailable(String message, Throwable cause) {
    return new OperationException(Kind.UNAVAILABLE, message, cause);
  }

  /** Something outside is missing or does not answer. */
  public static OperationException unavailable(String message) {
    return unavailable(message, null);
  }

  /** Adds to what it says. */
  public OperationException adding(String more) {
    return new OperationException(kind, getMessage() + more, this);
  }

  public Kind kind() {
    return kind;
  }
}
