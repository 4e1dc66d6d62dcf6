package io.cellmesh.triggers;

import java.util.List;

/** What a user does with several cells at once. */
@FunctionalInterface
public interface BatchCallback {
  /**
   * Handles cells, which stand in the order in which they are to be handled. When it returns, all
   * of them are done with.
   *
   * @throws BatchFailedException if some failed: those before the first that failed are done with,
   *     and in order by row also those of other rows that it does not name
   * @throws Exception if all failed
   */
  void call(List<TriggeredCell> cells) throws Exception;
}
