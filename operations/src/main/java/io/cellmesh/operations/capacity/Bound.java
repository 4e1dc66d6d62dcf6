package io.cellmesh.operations.capacity;

import io.cellmesh.operations.capacity.Figure.Unit;

/**
 * Something that a machine has only so much of.
 *
 * @param name for machines
 * @param label for people
 * @param needed at the load
 * @param limit what there is
 * @param nextStep what to do when it is exceeded
 */
public record Bound(
    String name, String label, double needed, double limit, Unit unit, String nextStep) {
  /** Computes the share that is needed; above 1 it is exceeded. */
  public double share() {
    return needed / limit;
  }

  public boolean exceeded() {
    return share() > 1;
  }
}
