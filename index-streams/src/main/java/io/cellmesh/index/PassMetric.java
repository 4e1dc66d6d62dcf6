package io.cellmesh.index;

import io.cellmesh.health.AppMetric;
import java.util.List;

/** Every metric of index-streams, as the table on its page lists them. */
public enum PassMetric implements AppMetric {
  KNOWN(
      "passes_known",
      Kind.GAUGE,
      "1 if the topic of the passes could be read when it was looked at last; else there may be passes of which nothing is told."),
  UP("up", Kind.GAUGE, "1 while the pass runs with all its threads.", "pass"),
  HALTED("halted", Kind.GAUGE, "1 while the pass waits for a person, who has to decide.", "pass"),
  STATE(
      "state",
      Kind.GAUGE,
      "Always 1; the label says which state the pass is in: one of Kafka Streams, FAILING, HALTED or REFUSED.",
      "pass",
      "state"),
  THREADS("threads", Kind.GAUGE, "Stream threads that live.", "pass"),
  BEHIND(
      "records_behind",
      Kind.GAUGE,
      "Records of this process's partitions of the log that it has not fetched yet.",
      "pass"),
  LAG(
      "lag_seconds",
      Kind.GAUGE,
      "How long the record that was processed last had stood in its topic; none before the first. It stays as it was while nothing comes.",
      "pass"),
  RESTORING(
      "restoring_partitions",
      Kind.GAUGE,
      "Partitions whose state is restored from the changelog.",
      "pass"),
  TO_RESTORE("records_to_restore", Kind.GAUGE, "Changelog records that these still need.", "pass"),
  UNINDEXED(
      "unindexed_total",
      Kind.COUNTER,
      "Cells that did not fit an index, and are told in the topic of the unindexed.",
      "pass"),
  DEATHS(
      "thread_deaths_total", Kind.COUNTER, "Stream threads that died and were replaced.", "pass");

  private final Description description;

  PassMetric(String name, Kind kind, String meaning, String... labels) {
    this.description = new Description("cellmesh_index_" + name, kind, meaning, List.of(labels));
  }

  @Override
  public Description description() {
    return description;
  }
}
