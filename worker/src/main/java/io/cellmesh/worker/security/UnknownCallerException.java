package io.cellmesh.worker.security;

/** Nobody knows who calls; the message says why, and no token. */
public final class UnknownCallerException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What was wrong with a call. */
  public enum Kind {
    /** It has no token, or what it has is no bearer token. */
    NO_TOKEN,
    /** Its token is not among those that count. */
    UNKNOWN_TOKEN,
    /** It has none and needs none, but is one that a browser made for somebody else's page. */
    FOREIGN
  }

  private final Kind kind;

  UnknownCallerException(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
