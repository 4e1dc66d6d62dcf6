package io.cellmesh.operations.verify;

import java.time.Duration;
import java.util.List;

/**
 * How {@link Verifier} ended.
 *
 * @param moved whether records came in while it read, so that what it found may be only that
 */
public record Verification(List<CheckResult> results, boolean moved, Duration took) {
  public Verification {
    results = List.copyOf(results);
  }

  public boolean passed() {
    return results.stream().allMatch(CheckResult::passed);
  }
}
