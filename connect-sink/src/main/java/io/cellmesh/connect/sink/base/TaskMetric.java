package io.cellmesh.connect.sink.base;

/** A metric of a sink task, as JMX shows it and the connector's page lists it. */
public interface TaskMetric {
  String attribute();

  /**
   * The name of the tag that tells metrics of this attribute apart, beside connector and task;
   * empty if there is only one.
   */
  String tag();

  String unit();

  String meaning();

  /** Meaning and unit, as JMX shows them. */
  default String description() {
    return meaning() + " (" + unit() + ")";
  }

  /** The tag as the page lists it. */
  default String tagText() {
    return tag().isEmpty() ? "" : "`" + tag() + "`";
  }

  /** The table for the connector's page. */
  static String markdown(TaskMetric... metrics) {
    var table = new StringBuilder("| attribute | tag | unit | what it is |\n|---|---|---|---|\n");
    for (var metric : metrics) {
      table.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(metric.attribute(), metric.tagText(), metric.unit(), metric.meaning()));
    }
    return table.toString();
  }
}
