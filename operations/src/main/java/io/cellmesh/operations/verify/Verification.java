package io.cellmesh.operations.verify;

import java.time.Duration;
import java.util.List;

/**
 * How {@link Verifier} ended.
 *
 * @param moved whether records came in while it read: then an offence may be only that, and none is
 *     no proof
 */
public record Verification(List<CheckResult> results, boolean moved, Duration took) {
  public Verification {
    results = List.copyOf(results);
  }

  /** Whether every check holds, of an instance that stood still meanwhile. */
  public boolean passed() {
    return !moved && results.stream().allMatch(CheckResult::passed);
  }
}
