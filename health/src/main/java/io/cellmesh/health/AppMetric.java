package io.cellmesh.health;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A metric of an application, as {@code /metrics} shows it and the application's page lists it. An
 * enum has all of an application.
 */
public interface AppMetric {

  /** What becomes of the value in time. */
  enum Kind {
    /** It goes up and down. */
    GAUGE,
    /** It only grows, until the process ends; the metric's name ends with {@code _total}. */
    COUNTER
  }

  /** Its whole name in Prometheus. */
  String metric();

  Kind kind();

  /** The names of the labels that tell its samples apart. */
  List<String> labels();

  String meaning();

  /** Writes the table for the application's page. */
  static String markdown(AppMetric... metrics) {
    var table = new StringBuilder("| metric | labels | what it is |\n|---|---|---|\n");
    for (var metric : metrics) {
      var labels =
          metric.labels().stream()
              .map(label -> "`" + label + "`")
              .collect(Collectors.joining(", "));
      table.append("| `%s` | %s | %s |\n".formatted(metric.metric(), labels, metric.meaning()));
    }
    return table.toString();
  }
}
