package io.cellmesh.connect.client;

import java.util.OptionalInt;

/** Connect refused a request, or does not answer; the message says which request and why. */
public final class ConnectClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NO_ANSWER = 0;

  private final int status;

  private ConnectClientException(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** Nothing came back, or what was waited for did not come in time. */
  public ConnectClientException(String message) {
    this(NO_ANSWER, message, null);
  }

  /** Nothing came back. */
  public ConnectClientException(String message, Throwable cause) {
    this(NO_ANSWER, message, cause);
  }

  /**
   * An answer that was not wanted.
   *
   * @param status of HTTP
   */
  static ConnectClientException refused(int status, String message) {
    return new ConnectClientException(status, message, null);
  }

  /** HTTP's status; empty if there was no answer. */
  public OptionalInt status() {
    return status == NO_ANSWER ? OptionalInt.empty() : OptionalInt.of(status);
  }
}
