package io.cellmesh.cell.proof;

/**
 * Offsets of a topic's partition, both ends included.
 *
 * @param from the lowest one
 * @param to the highest one
 */
public record Stretch(long from, long to) {
  /** All that is retained. */
  public static final Stretch WHOLE = new Stretch(0, Long.MAX_VALUE);

  /** The shortest one that has both. */
  public Stretch with(Stretch other) {
    return new Stretch(Math.min(from, other.from), Math.max(to, other.to));
  }
}
