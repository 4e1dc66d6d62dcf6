package io.cellmesh.index;

/** What the store has of a row is not what this pass can have written. */
final class DamagedStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int partition;

  /**
   * @param message names the row and the rule that is broken, without values
   * @param partition of the changelog, which is that of the row
   */
  DamagedStateException(String message, int partition) {
    super(message);
    this.partition = partition;
  }

  int partition() {
    return partition;
  }
}
