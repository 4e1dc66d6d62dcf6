package io.cellmesh.triggers;

/** What a user does with a cell. */
@FunctionalInterface
public interface CellCallback {
  /**
   * Handles a cell. When it returns, the cell is done with and does not come again, unless the
   * process dies or loses the partition before that is written down.
   *
   * @throws RetryLaterException to be called again not before a time that it names
   * @throws ParkException to have the cell parked without further attempts
   * @throws Exception to be called again after a back-off, until the attempts are used up
   */
  void call(TriggeredCell cell) throws Exception;
}
