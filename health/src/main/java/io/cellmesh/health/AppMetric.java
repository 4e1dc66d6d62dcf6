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
    COUNTER,
    /** It is counted by how large it was; the metric's name ends with its unit. */
    HISTOGRAM
  }

  /**
   * What a metric is.
   *
   * @param metric its whole name in Prometheus
   * @param labels the names of the labels that tell its samples apart
   */
  record Description(String metric, Kind kind, String meaning, List<String> labels) {}

  Description description();

  /** Its whole name in Prometheus. */
  default String metric() {
    return description().metric();
  }

  default Kind kind() {
    return description().kind();
  }

  /** The names of the labels that tell its samples apart. */
  default List<String> labels() {
    return description().labels();
  }

  default String meaning() {
    return description().meaning();
  }

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
