package io.cellmesh.triggers;

import io.cellmesh.health.AppMetric;
import java.util.ArrayList;
import java.util.List;

/** Every metric of a trigger's process, as the table on its page lists them. */
public enum TriggerMetric implements AppMetric {
  UP(
      "up",
      Kind.GAUGE,
      "1 while the process calls back or waits for cells, also while the trigger is paused."),
  HALTED(
      "halted",
      Kind.GAUGE,
      "1 while most cells fail, so that one at a time is tried, or a partition waits for a person."),
  STATE("state", Kind.GAUGE, "Always 1; the label says what the process does.", "state"),
  PARTITIONS("partitions", Kind.GAUGE, "Partitions that this process has of those of its group."),
  PARTITIONS_HALTED(
      "partitions_halted", Kind.GAUGE, "Those of them that wait for a person, who has to decide."),
  PARKED_ROWS("parked_rows", Kind.GAUGE, "Rows of its partitions that are parked."),
  BEHIND("records_behind", Kind.GAUGE, "Records of its partitions that it has not read yet."),
  CALLED(
      "called_total", Kind.COUNTER, "Cells that the callback was given, with each attempt anew."),
  FAILED("failed_total", Kind.COUNTER, "Those of them that failed."),
  PARKED("parked_total", Kind.COUNTER, "Cells that this process parked."),
  REPLAYED("replayed_total", Kind.COUNTER, "Parked cells that went through the callback.");

  private final Description description;

  TriggerMetric(String name, Kind kind, String meaning, String... labels) {
    var all = new ArrayList<>(List.of("trigger"));
    all.addAll(List.of(labels));
    this.description = new Description("cellmesh_trigger_" + name, kind, meaning, List.copyOf(all));
  }

  @Override
  public Description description() {
    return description;
  }
}
