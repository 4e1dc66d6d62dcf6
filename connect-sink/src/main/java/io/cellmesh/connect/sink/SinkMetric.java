package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.TaskMetric;
import io.cellmesh.storage.ConflictKind;
import java.util.Locale;

/** Every metric of a sink task, as the table on its page lists them. */
enum SinkMetric implements TaskMetric {
  CELLS_RATE("cells-per-second", Tag.OUTCOME, "cells/s", "Cells a second, by what became of them."),
  CELLS_TOTAL(
      "cells-total", Tag.OUTCOME, "cells", "Cells since the task started, by what became of them."),
  BATCH_CELLS_AVG("batch-cells-avg", Tag.NONE, "cells", "Cells in one batch."),
  BATCH_CELLS_MAX("batch-cells-max", Tag.NONE, "cells", "Cells in the largest batch."),
  BATCH_BYTES_AVG("batch-bytes-avg", Tag.NONE, "bytes", "Bytes of the records of one batch."),
  BATCH_BYTES_MAX("batch-bytes-max", Tag.NONE, "bytes", "Bytes of the largest batch."),
  TIME_P50("time-ms-p50", Tag.HOP, "ms", "Time that a batch takes for the hop: the median."),
  TIME_P99(
      "time-ms-p99",
      Tag.HOP,
      "ms",
      "Time that a batch takes for the hop: one batch of a hundred takes longer."),
  TIME_MAX("time-ms-max", Tag.HOP, "ms", "Time that a batch takes for the hop: the longest."),
  TIME_TOTAL("time-ms-total", Tag.HOP, "ms", "Time spent in the hop since the task started."),
  BREAKER_OPEN("breaker-open", Tag.SERVER, "0 or 1", "1 while the server is left alone."),
  DOWN_SECONDS(
      "down-seconds", Tag.SERVER, "s", "For how long the server has been left alone; 0 is good."),
  WAITING_CELLS(
      "waiting-cells",
      Tag.PRIMARY,
      "cells",
      "Cells of the task's partitions that are secured in buffers and not visible."),
  WAITING_SECONDS(
      "waiting-oldest-seconds",
      Tag.PRIMARY,
      "s",
      "Age of the oldest cell that is secured in buffers and not visible."),
  GAP_LANES(
      "lanes-with-gap",
      Tag.PRIMARY,
      "lanes",
      "Partitions whose next cells neither a reachable buffer nor the topic has; they stand still."),
  BUFFERED_CELLS(
      "buffered-cells",
      Tag.SECONDARY,
      "cells",
      "Cells of the task's partitions in the buffer, visible or not."),
  BUFFERED_SECONDS(
      "buffered-oldest-seconds",
      Tag.SECONDARY,
      "s",
      "Age of the oldest copy in the buffer, of a cell that is visible or not."),
  UNSECURED_SECONDS(
      "unsecured-seconds",
      Tag.NONE,
      "s",
      "For how long nothing could be secured, because some primary had no secondary; 0 is good."),
  CONFLICTS_TOTAL(
      "conflicts-total",
      Tag.KIND,
      "conflicts",
      "Conflicts that were decided since the task started, by where the two records come from; a record that is read again counts again."),
  UNTOLD_CONFLICTS(
      "untold-conflicts",
      Tag.PRIMARY,
      "conflicts",
      "Conflicts that the primary has decided and nobody has told in the topic of the rejected yet: they wait until every listed minion has the decision."),
  REJECTED_WITHOUT_VALUE_TOTAL(
      "rejected-without-value-total",
      Tag.NONE,
      "records",
      "Rejected records since the task started that were too large for the topic of the rejected, and stand there with their value's size and SHA-256 only."),
  REWINDS_TOTAL(
      "rewinds-total",
      Tag.NONE,
      "rewinds",
      "How often a topic was read again, because buffers did not reach back to a position."),
  FAILED_COMMITS_TOTAL(
      "failed-commits-total",
      Tag.NONE,
      "commits",
      "Commits of offsets since the task started that Kafka had not taken a second later, of those"
          + " that links or clients wait for; they are asked for again each second.");

  private final String attribute;
  private final Tag tag;
  private final String unit;
  private final String meaning;

  SinkMetric(String attribute, Tag tag, String unit, String meaning) {
    this.attribute = attribute;
    this.tag = tag;
    this.unit = unit;
    this.meaning = meaning;
  }

  /** What tells metrics of one name apart, beside connector and task. */
  enum Tag {
    NONE,
    OUTCOME,
    HOP,
    SERVER,
    PRIMARY,
    SECONDARY,
    KIND
  }

  /** What became of cells. */
  enum Outcome {
    /** They are rows of the entity table. */
    STORED,
    /** They were copied while their primary was behind; they are counted as stored later. */
    BUFFERED,
    DUPLICATE,
    CONFLICT,
    REJECTED
  }

  /** What a batch goes through. */
  enum Hop {
    /** Records become cells. */
    DECODE,
    /** Copies are written to secondaries, until they are committed. */
    COPY,
    /** Statements on a primary, without the commit. */
    ENTITY,
    /** The commit on a primary. */
    COMMIT,
    /** Copies are brought from the buffers to primaries. */
    CATCH_UP,
    /** All that a call of {@code put} does. */
    PUT
  }

  @Override
  public String attribute() {
    return attribute;
  }

  @Override
  public String tag() {
    return tag == Tag.NONE ? "" : nameOf(tag);
  }

  @Override
  public String unit() {
    return unit;
  }

  @Override
  public String meaning() {
    return meaning;
  }

  /** With the values that it may have, where they are fixed. */
  @Override
  public String tagText() {
    var name = TaskMetric.super.tagText();
    return switch (tag) {
      case OUTCOME -> name + ": " + names(Outcome.values());
      case HOP -> name + ": " + names(Hop.values());
      case KIND -> name + ": " + names(ConflictKind.values());
      default -> name;
    };
  }

  private static String names(Enum<?>[] values) {
    var names = new StringBuilder();
    for (var value : values) {
      names.append(names.isEmpty() ? "" : ", ").append(nameOf(value));
    }
    return names.toString();
  }

  /** As a tag's value. */
  static String nameOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
