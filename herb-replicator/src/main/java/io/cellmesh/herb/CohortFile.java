package io.cellmesh.herb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;

/** The file that lists the instances of a process, {@code cohorts.yaml}. */
record CohortFile(Path file) {

  /**
   * Reads it and each deployment that it names. What is wrong with the file stands in the plan, and
   * so does, apart, what is wrong with an instance's own files, which is nobody else's concern.
   */
  CohortPlan read() {
    var ends = new HashMap<String, Ends>();
    var faults = new HashMap<String, String>();
    try {
      var base = file.toAbsolutePath().getParent();
      for (var entry : CohortYaml.parse(file.toString(), Files.readString(file), base)) {
        try {
          ends.put(entry.instance(), Ends.of(entry));
        } catch (IOException | RuntimeException e) {
          faults.put(entry.instance(), CohortPlan.why(e));
        }
      }
    } catch (IOException | RuntimeException e) {
      return CohortPlan.broken(CohortPlan.why(e));
    }
    return new CohortPlan("", ends, faults);
  }
}
