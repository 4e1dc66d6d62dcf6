package io.cellmesh.devstack;

/** Something did not start, stop or answer; the message says what and where to look. */
public class DevStackException extends RuntimeException {
  public DevStackException(String message) {
    super(message);
  }

  public DevStackException(String message, Throwable cause) {
    super(message, cause);
  }
}
