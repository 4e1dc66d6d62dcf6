package io.cellmesh.triggers;

/** Says that a record of the log holds no cell, so that no attempt at it can succeed. */
public final class DamagedCellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedCellException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
