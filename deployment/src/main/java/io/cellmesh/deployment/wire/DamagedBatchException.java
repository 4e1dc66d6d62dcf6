package io.cellmesh.deployment.wire;

import java.io.IOException;

/** Bytes that are no batch: something changed them on their way, or the sender is another one. */
public final class DamagedBatchException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedBatchException(String message) {
    super(message);
  }

  DamagedBatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
