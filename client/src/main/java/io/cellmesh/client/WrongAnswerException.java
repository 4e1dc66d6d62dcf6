package io.cellmesh.client;

import java.io.IOException;

/** An answer that no worker gives by its contract: another server's, cut short, or of a fault. */
final class WrongAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  WrongAnswerException(String message) {
    super(message);
  }
}
