package io.cellmesh.operations.status;

/** What a task's trace says to a person. */
final class FailureTrace {
  private static final String WRAPPER = "Exiting Worker";
  private static final String CAUSE = "Caused by: ";

  private FailureTrace() {}

  /** Its first line, or the cause where that only says that the task has ended. */
  static String reason(String trace) {
    var first = trace.lines().findFirst().orElse("");
    if (first.contains(WRAPPER)) {
      first =
          trace
              .lines()
              .filter(line -> line.startsWith(CAUSE))
              .findFirst()
              .map(line -> line.substring(CAUSE.length()))
              .orElse(first);
    }
    return first.replaceFirst("^[\\w.$]+(?:Exception|Error): ", "");
  }
}
