package io.cellmesh.operations.verify;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.connect.converter.ConvertedValue;
import io.cellmesh.connect.converter.EnvelopeConverter;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private final Optional<EnvelopeConverter> converter;

  /**
   * @param converter of the sink, if it has one; closed with this reader
   */
  IngestedReader(Topics topics, Shards shards, Optional<EnvelopeConverter> converter) {
    this.topics = topics;
    this.shards = shards;
    this.converter = converter;
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
    if (converter.isPresent()) {
      try {
        converter.get().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Optional<Cell> cell(ConsumerRecord<byte[], byte[]> record) {
    try {
      var value = envelope(record);
      var cell =
          record.topic().equals(topics.mesh())
              ? envelopes.readMeshCell(record.key(), value)
              : envelopes.readCell(record.key(), value);
      int shard = shards.of(cell.key().rowKey());
      return shards.partitionOf(shard) == record.partition() ? Optional.of(cell) : Optional.empty();
    } catch (InvalidCellException e) {
      return Optional.empty();
    }
  }

  private byte[] envelope(ConsumerRecord<byte[], byte[]> record) throws InvalidCellException {
    if (converter.isEmpty()) {
      return record.value();
    }
    var value =
        converter.get().toConnectData(record.topic(), record.headers(), record.value()).value();
    return value instanceof ConvertedValue converted ? converted.envelope() : (byte[]) value;
  }
}
