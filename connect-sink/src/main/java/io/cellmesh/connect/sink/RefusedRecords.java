package io.cellmesh.connect.sink;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topics;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Packet;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import io.cellmesh.storage.RefusedRecord.Header;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows the records of cells that are refused on a primary. Of a conflict the ledger keeps the
 * record's place for ever and its bytes until {@link ConflictTeller} has told them; a cell with a
 * value that MySQL does not take is told at once, since it is refused in any case (invariant 11).
 */
final class RefusedRecords {
  /** A larger record is not kept, but fetched from its topic when it is told. */
  private static final long MOST_BYTES = Packet.BATCH + (1 << 20);

  private final Topics topics;
  private final Rejections rejections;
  private final Function<String, UUID> topicIds;

  /**
   * @param topicIds Kafka's id of a topic, by its name
   */
  RefusedRecords(Topics topics, Rejections rejections, Function<String, UUID> topicIds) {
    this.topics = topics;
    this.rejections = rejections;
    this.topicIds = topicIds;
  }

  /** What is refused of a batch, whose records are kept as they came, or of copies. */
  Refusals among(Batch batch) {
    // Asked here, where nothing is locked yet; a batch brings records of a topic that answers.
    batch.ranges().forEach(range -> topicIds.apply(range.at().topic()));
    return new Among(batch);
  }

  /** One transaction's view; it may end when later batches are at hand. */
  private final class Among implements Refusals {
    private final Batch batch;

    Among(Batch batch) {
      this.batch = batch;
    }

    @Override
    public Place place(IngestTopic topic, int partition, OffsetCell cell) {
      return new Place(topicIds.apply(topic.of(topics)), partition, cell.offset());
    }

    /** The record as it came, else an equal one if there is room for it. */
    @Override
    public Optional<RefusedRecord> record(
        IngestTopic topic, int partition, OffsetCell cell, long room) {
      return batch
          .record(topic.of(topics), partition, cell.offset())
          .map(Original::of)
          .filter(original -> original.size() <= MOST_BYTES)
          .map(RefusedRecords::refused)
          .or(() -> rebuilt(cell, room));
    }

    @Override
    public void misfit(
        IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
      var record = batch.record(topic.of(topics), partition, cell.offset());
      if (record.isPresent()) {
        rejections.reject(record.get(), reason);
      } else {
        rejections.reject(rebuilt(topic, partition, cell), reason, List.of(RebuiltRecord.header()));
      }
    }

    @Override
    public void await() {
      rejections.await();
    }
  }

  private Original rebuilt(IngestTopic topic, int partition, OffsetCell cell) {
    return new Original(
        new TopicPartition(topic.of(topics), partition),
        cell.offset(),
        Optional.empty(),
        Envelope.key(cell.cell().key()),
        Envelope.write(cell.cell()),
        List.of());
  }

  private static Optional<RefusedRecord> rebuilt(OffsetCell cell, long room) {
    // Written out it is never smaller, and maybe a thousand times as large.
    return cell.cell().body().stored().length > room
        ? Optional.empty()
        : Optional.of(RebuiltRecord.of(cell.cell())).filter(record -> record.bytes() <= room);
  }

  private static RefusedRecord refused(Original original) {
    return new RefusedRecord(
        original.key(),
        original.value(),
        original.headers().stream().map(h -> new Header(h.key(), h.value())).toList(),
        original.timestamp().orElse(-1L));
  }
}
