package io.cellmesh.connect.source;

/** Every metric of a source task, as the table on its page lists them. */
enum SourceMetric {
  CELLS_RATE("cells-per-second", "cells/s", "Cells a second handed to the log."),
  CELLS_TOTAL("cells-total", "cells", "Cells handed to the log since the task started."),
  LAG_MS(
      "lag-ms",
      "ms",
      "For how long the master has had a transaction that the task has not read; told by looking once"
          + " a second, so 0 means less than that. Unknown, -1, while the master does not answer."),
  LAG_TRANSACTIONS(
      "lag-transactions",
      "transactions",
      "How many transactions the master has that the task has not read. Unknown, -1, while the master does not answer."),
  READING("reading", "address", "The server that is read, or was last."),
  CONNECTED(
      "connected",
      "0 or 1",
      "1 while the server that is read is heard. The task is RUNNING either way."),
  READS_SECOND(
      "reads-second-choice",
      "0 or 1",
      "1 while the server that is read is not of the kind that read.from asks for: what a master shows may be"
          + " taken back by a promotion."),
  SILENT_SECONDS(
      "silent-seconds",
      "s",
      "Since the server that is read was last heard, with an event or the heartbeat that it sends every 2 s."),
  LAST_GTID("last-gtid", "GTID", "The transaction of the last cell that came from a binlog."),
  VIOLATIONS(
      "violations-total",
      "rows",
      "Entity rows that somebody has changed or deleted, since the task started; the log does not"
          + " follow. Anything but 0 is wrong."),
  REBUILD_SHARDS("rebuild-shards-left", "shards", "What is left of a rebuild; 0 without one."),
  REBUILD_CELLS("rebuild-cells-total", "cells", "Cells that the task has read from entity tables.");

  private final String attribute;
  private final String unit;
  private final String meaning;

  SourceMetric(String attribute, String unit, String meaning) {
    this.attribute = attribute;
    this.unit = unit;
    this.meaning = meaning;
  }

  String attribute() {
    return attribute;
  }

  String meaning() {
    return meaning;
  }

  /** Meaning and unit, as JMX shows them. */
  String description() {
    return meaning + " (" + unit + ")";
  }

  /** The table for the connector's page. */
  static String markdown() {
    var table = new StringBuilder("| attribute | unit | what it is |\n|---|---|---|\n");
    for (var metric : values()) {
      table.append("| `%s` | %s | %s |\n".formatted(metric.attribute, metric.unit, metric.meaning));
    }
    return table.toString();
  }
}
