package io.cellmesh.connect.sink;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topics;
import io.cellmesh.storage.EntityTable.Conflict;
import io.cellmesh.storage.EntityTransaction;
import io.cellmesh.storage.IngestTopic;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;

/** Sends the cell that came second to the rejections, with both digests (invariant 3). */
final class RejectedConflicts implements EntityTransaction.Conflicts {
  private final Topics topics;
  private final Rejections rejections;
  private volatile Batch batch = new Batch(List.of(), List.of());

  RejectedConflicts(Topics topics, Rejections rejections) {
    this.topics = topics;
    this.rejections = rejections;
  }

  /** The batch at hand, whose records are passed on as they came. */
  void batch(Batch current) {
    batch = current;
  }

  @Override
  public void report(IngestTopic topic, int partition, Collection<Conflict> conflicts) {
    for (var conflict : conflicts) {
      long offset = conflict.cell().offset();
      var record =
          batch
              .record(topic.of(topics), partition, offset)
              .orElseGet(() -> rebuilt(topic, partition, conflict));
      rejections.reject(record, new ConflictException(conflict));
    }
    rejections.await();
  }

  /**
   * A cell that comes back from a buffer has no record any more: an equal one takes its place. Its
   * time is that of the rejection; Connect can't report a record without any.
   */
  private SinkRecord rebuilt(IngestTopic topic, int partition, Conflict conflict) {
    var cell = conflict.cell().cell();
    return new SinkRecord(
        topic.of(topics),
        partition,
        null,
        Envelope.key(cell.key()),
        null,
        Envelope.write(cell),
        conflict.cell().offset(),
        System.currentTimeMillis(),
        TimestampType.CREATE_TIME);
  }
}
