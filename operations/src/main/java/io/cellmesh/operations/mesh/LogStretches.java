package io.cellmesh.operations.mesh;

import io.cellmesh.cell.proof.Stretch;

/**
 * What of a partition is read of two data centres' logs.
 *
 * @param there of the origin's
 * @param here of the one's that is compared with it
 */
record LogStretches(Stretch there, Stretch here) {
  static final LogStretches WHOLE = new LogStretches(Stretch.WHOLE, Stretch.WHOLE);

  LogStretches with(LogStretches other) {
    return new LogStretches(there.with(other.there), here.with(other.here));
  }
}
