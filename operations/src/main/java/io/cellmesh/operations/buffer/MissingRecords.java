package io.cellmesh.operations.buffer;

/**
 * Offsets that a primary lacks and no buffer that answers has, although one has what follows them.
 *
 * @param records the topic and partition
 * @param from the primary's position
 * @param to where the next copy begins; not missing itself
 */
public record MissingRecords(String records, long from, long to) {
  @Override
  public String toString() {
    return "[%d, %d) of %s".formatted(from, to, records);
  }
}
