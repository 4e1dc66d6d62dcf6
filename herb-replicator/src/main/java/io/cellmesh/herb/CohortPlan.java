package io.cellmesh.herb;

import java.nio.file.NoSuchFileException;
import java.util.Map;

/**
 * What the files of a cohort said when they were read.
 *
 * @param fault why the list of the instances can't be used, so that nothing else is known; empty if
 *     it can
 * @param ends of the links of each instance that can be linked, by its name
 * @param faults why another that is listed can't be, by its name
 */
record CohortPlan(String fault, Map<String, Ends> ends, Map<String, String> faults) {
  CohortPlan {
    ends = Map.copyOf(ends);
    faults = Map.copyOf(faults);
  }

  /** One instance, whose links need no file. */
  static CohortPlan of(Ends ends) {
    return new CohortPlan("", Map.of(ends.instance(), ends), Map.of());
  }

  /** Says in words why something in the files can't be used. */
  static String why(Exception failure) {
    if (failure instanceof NoSuchFileException missing) {
      return missing.getFile() + ": there is no such file";
    }
    // What else it may be must not end the process either.
    return failure instanceof IllegalArgumentException ? failure.getMessage() : failure.toString();
  }

  /** Nothing but why. */
  static CohortPlan broken(String why) {
    return new CohortPlan(why, Map.of(), Map.of());
  }
}
