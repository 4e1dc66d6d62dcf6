package io.cellmesh.connect.source;

import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Takes what Debezium has read: new rows that are not in the log yet go to the batch, in the order
 * of the binlog, and the resume point moves behind them.
 */
final class RowIntake {
  private final ResumePoint resumePoint;
  private final RecordBatcher batcher;
  private final Consumer<EntityEvent> created;
  private final Consumer<EntityEvent> changed;

  /**
   * @param created told of each new row
   * @param changed told of whatever else was done to a row, which no log follows
   */
  RowIntake(
      ResumePoint resumePoint,
      RecordBatcher batcher,
      Consumer<EntityEvent> created,
      Consumer<EntityEvent> changed) {
    this.resumePoint = resumePoint;
    this.batcher = batcher;
    this.created = created;
    this.changed = changed;
  }

  /**
   * Takes one record; the resume point must be known.
   *
   * @throws ConnectException as {@link ResumePoint#repeats}
   */
  void take(SourceRecord record) {
    var found = EntityEvent.of(record);
    if (found.isEmpty()) {
      resumePoint.passedTransactions(record);
      return;
    }
    var event = found.get();
    var place = event.place();
    if (resumePoint.repeats(record, place)) {
      return;
    }
    if (event.isCreation()) {
      created.accept(event);
      var before = resumePoint.offset().orElseThrow();
      batcher.add(event.created(), Optional.empty(), before, resumePoint.passed(record, place));
    } else {
      changed.accept(event);
    }
  }
}
