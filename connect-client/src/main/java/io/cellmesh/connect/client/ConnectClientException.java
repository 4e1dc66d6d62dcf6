package io.cellmesh.connect.client;

/** Connect refused a request, or does not answer; the message says which request and why. */
public final class ConnectClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConnectClientException(String message) {
    super(message);
  }

  public ConnectClientException(String message, Throwable cause) {
    super(message, cause);
  }
}
