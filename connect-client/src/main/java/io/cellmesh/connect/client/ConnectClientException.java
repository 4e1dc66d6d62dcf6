package io.cellmesh.connect.client;

import java.util.OptionalInt;

/** Connect refused a request, or does not answer; the message says which request and why. */
public final class ConnectClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NO_ANSWER = 0;

  private final int status;
  private final boolean untrusted;

  private ConnectClientException(int status, boolean untrusted, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
    this.untrusted = untrusted;
  }

  /** Nothing came back, or what was waited for did not come in time. */
  public ConnectClientException(String message) {
    this(NO_ANSWER, false, message, null);
  }

  /** Nothing came back. */
  public ConnectClientException(String message, Throwable cause) {
    this(NO_ANSWER, false, message, cause);
  }

  /**
   * An answer that was not wanted.
   *
   * @param status of HTTP
   */
  static ConnectClientException refused(int status, String message) {
    return new ConnectClientException(status, false, message, null);
  }

  /** Somebody is there, with whom no TLS comes about. */
  static ConnectClientException untrusted(String message, Throwable cause) {
    return new ConnectClientException(NO_ANSWER, true, message, cause);
  }

  /** HTTP's status; empty if there was no answer. */
  public OptionalInt status() {
    return status == NO_ANSWER ? OptionalInt.empty() : OptionalInt.of(status);
  }

  /** Whether somebody is there: a worker that refuses, or one that is not trusted. */
  public boolean somebodyIsThere() {
    return status != NO_ANSWER || untrusted;
  }
}
