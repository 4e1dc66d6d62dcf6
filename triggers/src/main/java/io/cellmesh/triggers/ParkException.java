package io.cellmesh.triggers;

/** Says that another attempt would be in vain, so that the cell is parked at once. */
public final class ParkException extends Exception {
  private static final long serialVersionUID = 1L;

  public ParkException(String reason) {
    super(reason);
  }

  public ParkException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
