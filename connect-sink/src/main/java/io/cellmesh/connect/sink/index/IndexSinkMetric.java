package io.cellmesh.connect.sink.index;

import io.cellmesh.connect.sink.base.TaskMetric;

/** Every metric of an index sink's task, as the table on its page lists them. */
enum IndexSinkMetric implements TaskMetric {
  ENTRIES_RATE(
      "entries-per-second", true, "entries/s", "Entries a second written to the cluster's tables."),
  ENTRIES_TOTAL(
      "entries-total",
      true,
      "entries",
      "Entries written to the cluster's tables since the task started."),
  BATCH_AVG("batch-entries-avg", true, "entries", "Entries in one transaction."),
  BATCH_MAX("batch-entries-max", true, "entries", "Entries in the largest transaction."),
  WRITE_P50("write-ms-p50", true, "ms", "Time that a transaction takes: the median."),
  WRITE_P99(
      "write-ms-p99", true, "ms", "Time that a transaction takes: one of a hundred takes longer."),
  WRITE_MAX("write-ms-max", true, "ms", "Time that a transaction takes: the longest."),
  AGE_P50(
      "age-ms-p50",
      true,
      "ms",
      "Time from the record in the log to the commit of its entry, for the oldest of each transaction: the median."),
  AGE_P99(
      "age-ms-p99",
      true,
      "ms",
      "Time from the record in the log to the commit of its entry, for the oldest of each transaction: one of a hundred is older."),
  AGE_MAX(
      "age-ms-max",
      true,
      "ms",
      "Time from the record in the log to the commit of its entry, for the oldest of each transaction: the longest."),
  WAITING_OFFSETS(
      "waiting-offsets",
      true,
      "offsets",
      "Offsets from the first entry that the cluster lacks to the last one read, over the task's partitions."),
  WAITING_SECONDS(
      "waiting-seconds",
      true,
      "s",
      "For how long the cluster has lacked entries that were read; 0 is good."),
  REJECTED_TOTAL("rejected-total", false, "records", "Malformed records since the task started."),
  REJECTED_WITHOUT_VALUE_TOTAL(
      "unindexed-without-value-total",
      false,
      "records",
      "Malformed records since the task started that were too large for the topic of the unindexed, and stand there with their value's size and SHA-256 only."),
  REWINDS_TOTAL(
      "partition-rewinds-total",
      false,
      "rewinds",
      "How often a partition was read again for a cluster.");

  private final String attribute;
  private final boolean ofCluster;
  private final String unit;
  private final String meaning;

  IndexSinkMetric(String attribute, boolean ofCluster, String unit, String meaning) {
    this.attribute = attribute;
    this.ofCluster = ofCluster;
    this.unit = unit;
    this.meaning = meaning;
  }

  @Override
  public String attribute() {
    return attribute;
  }

  @Override
  public String tag() {
    return ofCluster ? "cluster" : "";
  }

  @Override
  public String unit() {
    return unit;
  }

  @Override
  public String meaning() {
    return meaning;
  }
}
