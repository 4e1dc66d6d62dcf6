package io.cellmesh.triggers;

import java.util.LinkedHashMap;
import java.util.Map;

/** Says which cells of a batch failed; the others are done with. */
public final class BatchFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Map<TriggeredCell, Exception> failures;

  /**
   * Names the cells that failed and why.
   *
   * @throws IllegalArgumentException if there is none, or one is null or its reason is: what is not
   *     named would count as done with
   */
  public BatchFailedException(Map<TriggeredCell, ? extends Exception> failures) {
    super(failures.size() + " cells of a batch failed", first(failures));
    this.failures = new LinkedHashMap<>(failures);
  }

  /** The cells that failed, each with its reason. */
  public Map<TriggeredCell, Exception> failures() {
    return failures;
  }

  private static Exception first(Map<TriggeredCell, ? extends Exception> failures) {
    failures.forEach(
        (cell, why) -> {
          if (cell == null || why == null) {
            throw new IllegalArgumentException("a cell that failed is null, or has no reason");
          }
        });
    return failures.values().stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no cell is said to have failed"));
  }
}
