package io.cellmesh.operations.verify;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads records as the sink does, except that a body may be what any sink, under whatever limits,
 * may have taken.
 */
final class IngestedReader implements AutoCloseable {
  private final EnvelopeReader envelopes = EnvelopeReader.lenient();
  private final Topics topics;
  private final Shards shards;

  IngestedReader(Topics topics, Shards shards) {
    this.topics = topics;
    this.shards = shards;
  }

  Ingested read(ConsumerRecord<byte[], byte[]> record) {
    return new Ingested(
        record.topic(),
        record.partition(),
        record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        cell(record));
  }

  @Override
  public void close() {
    envelopes.close();
  }

  private Optional<Cell> cell(ConsumerRecord<byte[], byte[]> record) {
    try {
      var cell =
          record.topic().equals(topics.mesh())
              ? envelopes.readMeshCell(record.key(), record.value())
              : envelopes.readCell(record.key(), record.value());
      int shard = shards.of(cell.key().rowKey());
      return shards.partitionOf(shard) == record.partition() ? Optional.of(cell) : Optional.empty();
    } catch (InvalidCellException e) {
      return Optional.empty();
    }
  }
}
