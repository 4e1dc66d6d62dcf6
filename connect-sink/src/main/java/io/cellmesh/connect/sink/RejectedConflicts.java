package io.cellmesh.connect.sink;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topics;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import io.cellmesh.storage.RefusedRecord.Header;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Sends cells that are refused on the primary to the rejections: one that came second, with both
 * digests (invariant 3), and one with a value that MySQL does not take.
 */
final class RejectedConflicts implements Refusals {
  private final Topics topics;
  private final Rejections rejections;
  private final Function<String, UUID> topicIds;
  private volatile Batch batch = new Batch(List.of(), List.of());

  /**
   * @param topicIds Kafka's id of a topic, by its name
   */
  RejectedConflicts(Topics topics, Rejections rejections, Function<String, UUID> topicIds) {
    this.topics = topics;
    this.rejections = rejections;
    this.topicIds = topicIds;
  }

  /** The batch at hand, whose records are passed on as they came. */
  void batch(Batch current) {
    batch = current;
  }

  @Override
  public Place place(IngestTopic topic, int partition, OffsetCell cell) {
    return new Place(topicIds.apply(topic.of(topics)), partition, cell.offset());
  }

  @Override
  public Optional<RefusedRecord> record(IngestTopic topic, int partition, OffsetCell cell) {
    return batch
        .record(topic.of(topics), partition, cell.offset())
        .map(Original::of)
        .map(
            original ->
                new RefusedRecord(
                    original.key(),
                    original.value(),
                    original.headers().stream().map(h -> new Header(h.key(), h.value())).toList(),
                    original.timestamp().orElse(-1L)));
  }

  @Override
  public void conflict(OffsetCell cell, Decision decision) {
    rejections.reject(
        sinkRecord(decision.topic(), decision.place().partition(), cell),
        new ConflictException(decision));
  }

  @Override
  public void misfit(
      IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
    rejections.reject(sinkRecord(topic, partition, cell), reason);
  }

  @Override
  public void await() {
    rejections.await();
  }

  private SinkRecord sinkRecord(IngestTopic topic, int partition, OffsetCell cell) {
    return batch
        .record(topic.of(topics), partition, cell.offset())
        .orElseGet(() -> rebuilt(topic, partition, cell));
  }

  /**
   * A cell that comes back from a buffer has no record any more: an equal one takes its place. Its
   * time is that of the rejection.
   */
  private SinkRecord rebuilt(IngestTopic topic, int partition, OffsetCell cell) {
    return new SinkRecord(
        topic.of(topics),
        partition,
        null,
        Envelope.key(cell.cell().key()),
        null,
        Envelope.write(cell.cell()),
        cell.offset(),
        System.currentTimeMillis(),
        TimestampType.CREATE_TIME);
  }
}
