package io.cellmesh.e2e.mutation;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What tests came to, as {@link TestRun} writes it: a line a test.
 *
 * @param ends by the tests; one that did not run has none
 */
record TestReport(Map<NamedTest, End> ends) {
  private static final String SEPARATOR = "\t";

  /** How a test ended. */
  enum Kind {
    PASSED,
    FAILED,
    /**
     * Something else failed than what the method looks at: what is done before it, as the start of
     * a server, or classes that do not fit each other.
     */
    HINDERED
  }

  /**
   * How a test ended.
   *
   * @param failure in a line; empty if it passed
   */
  record End(Kind kind, String failure) {
    /** Of two runs of one method that which tells more. */
    End and(End other) {
      return kind.compareTo(other.kind) >= 0 ? this : other;
    }
  }

  /** Of one test; empty if it did not run. */
  Optional<End> of(NamedTest test) {
    return Optional.ofNullable(ends.get(test));
  }

  /** Those that failed. */
  List<NamedTest> failed() {
    return ends.entrySet().stream()
        .filter(end -> end.getValue().kind() == Kind.FAILED)
        .map(Map.Entry::getKey)
        .toList();
  }

  String text() {
    return ends.entrySet().stream()
        .map(e -> List.of(e.getValue().kind().name(), e.getKey().toString(), e.getValue().failure))
        .map(fields -> String.join(SEPARATOR, fields) + "\n")
        .collect(Collectors.joining());
  }

  static TestReport parse(String text) {
    var ends = new LinkedHashMap<NamedTest, End>();
    text.lines()
        .map(line -> Arrays.asList(line.split(SEPARATOR, 3)))
        .forEach(
            fields ->
                ends.put(
                    NamedTest.parse(fields.get(1)),
                    new End(Kind.valueOf(fields.get(0)), fields.get(2))));
    return new TestReport(ends);
  }
}
