package io.cellmesh.herb;

/**
 * Has the cohort become what its files say. A file is taken once two looks in a row have read the
 * same: whoever writes it may be in the middle.
 */
final class CohortWatch {
  private final CohortFile file;
  private final Cohort cohort;
  private CohortPlan seen;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if the list of the instances can't be used
   */
  CohortWatch(CohortFile file, Cohort cohort) {
    this.file = file;
    this.cohort = cohort;
    this.seen = file.read();
    if (!seen.fault().isEmpty()) {
      throw new IllegalArgumentException(seen.fault());
    }
  }

  /** Begins with what they said. */
  void begin() {
    cohort.become(seen);
  }

  /** Reads them again. */
  void look() {
    var now = file.read();
    if (now.equals(seen)) {
      cohort.become(now);
    }
    seen = now;
  }
}
