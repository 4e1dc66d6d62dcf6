package io.cellmesh.triggers;

/** Why a cell is parked. */
enum ParkReason {
  /** All its attempts failed. */
  ATTEMPTS,
  /** It failed for longer than a cell may. */
  AGE,
  /** It failed with an exception that the user listed as not worth another attempt. */
  NEVER_RETRIED,
  /** The callback asked for it with {@link ParkException}. */
  CALLBACK,
  /** As many processes as there are attempts ended before its callback did. */
  DIED,
  /** An earlier cell of its row is parked. */
  ROW;

  /** Says whether the outage of what the callback needs may be to blame, not the cell. */
  boolean mayPass() {
    return this == ATTEMPTS || this == AGE;
  }
}
