package io.cellmesh.operations.capacity;

/**
 * A number that the model comes to.
 *
 * @param name for machines
 * @param label for people
 * @param how it comes about, in a few words
 */
public record Figure(String name, String label, double value, Unit unit, String how) {
  /** What a number counts. */
  public enum Unit {
    COUNT,
    PER_SECOND,
    BYTES,
    BYTES_PER_SECOND,
    BYTES_PER_DAY,
    SECONDS,
    CORES
  }
}
