package io.cellmesh.e2e.monitoring;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names in an expression of PromQL, as far as we write such. */
record Expression(Set<String> metrics, Set<String> labels) {
  private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
  private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)}");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring) *\\(([^)]*)\\)");
  private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern FUNCTION = Pattern.compile(NAME + " *\\(");
  private static final Set<String> WORDS =
      Set.of("and", "or", "unless", "by", "without", "on", "ignoring", "bool");

  static Expression of(String text) {
    var labels = new TreeSet<String>();
    var rest = TEXT.matcher(text).replaceAll("\"\"");
    rest = take(rest, MATCHERS, labels);
    rest = take(rest, GROUPING, labels);
    rest = RANGE.matcher(rest).replaceAll(" ");
    for (var word : WORDS) {
      rest = rest.replaceAll("\\b" + word + "\\b", " | ");
    }
    rest = FUNCTION.matcher(rest).replaceAll("(");
    return new Expression(names(rest), labels);
  }

  private static String take(String text, Pattern part, Set<String> labels) {
    part.matcher(text).results().forEach(found -> labels.addAll(names(found.group(1))));
    return part.matcher(text).replaceAll(" ");
  }

  private static Set<String> names(String text) {
    var names = new TreeSet<String>();
    NAME.matcher(text).results().forEach(found -> names.add(found.group()));
    return names;
  }

  /**
   * Checks that all of it is shown by somebody.
   *
   * @throws AssertionError if a metric, or a label of none of its metrics, is not
   */
  void check(ShownMetrics shown) {
    var known = new TreeSet<>(Set.of("job", "instance", "dc"));
    if (metrics.isEmpty()) {
      throw new AssertionError("there is no metric in it");
    }
    metrics.forEach(metric -> known.addAll(shown.get(metric).labels()));
    for (var label : labels) {
      if (!known.contains(label)) {
        throw new AssertionError(label + " is a label of none of " + metrics);
      }
    }
  }
}
