package io.cellmesh.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The log of the origin, written as its source writes it, and what is known of it: the links take
 * turns at reading it. Records are made by one thread.
 */
final class OriginLog implements AutoCloseable {
  private final Topology origin;
  private final EnvelopeWriter envelopes = new EnvelopeWriter();
  private final Map<Integer, Long> ids = new HashMap<>();
  private final OwnedOffsets offsets;
  private long produced;

  /**
   * @param origin the data centre whose log it is
   * @param owners how many storage clusters the cells go to
   */
  OriginLog(Topology origin, int owners) {
    this.origin = origin;
    this.offsets = new OwnedOffsets(origin.shards().partitions(), owners);
  }

  String topic() {
    return origin.topics().log();
  }

  /** The next record of a cell's shard. */
  ProducerRecord<byte[], byte[]> record(BenchCell cell) {
    int shard = origin.shards().of(cell.rowKey());
    long id = ids.merge(shard, 1L, Long::sum);
    var record =
        new ProducerRecord<>(
            topic(), origin.shards().partitionOf(shard), cell.key(), envelope(cell, shard, id));
    record
        .headers()
        .add(Envelope.COLUMN_HEADER, cell.columnName().getBytes(UTF_8))
        .add(Envelope.ORIGIN_HEADER, origin.datacenter().getBytes(UTF_8))
        .add(Envelope.SHARD_HEADER, Integer.toString(shard).getBytes(UTF_8))
        .add(Envelope.ADDED_ID_HEADER, Long.toString(id).getBytes(UTF_8));
    return record;
  }

  private byte[] envelope(BenchCell cell, int shard, long id) {
    try {
      var key = new CellKey(cell.rowKey(), cell.columnName(), cell.refKey());
      var own = Optional.of(new Origin(origin.datacenter(), id));
      return envelopes.write(
          new LogRecord(new Cell(key, Body.ofJson(cell.body()), own), shard, id, Instant.now()));
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException("a made-up cell is none", e);
    }
  }

  /** Counts a cell that the log has now; in the order of the offsets. */
  synchronized void produced(int partition, long offset, int owner) {
    offsets.add(partition, offset, owner);
    produced++;
  }

  synchronized long produced() {
    return produced;
  }

  /** Which far cluster's cell stands at each offset. */
  OwnedOffsets offsets() {
    return offsets;
  }

  @Override
  public void close() {
    envelopes.close();
  }
}
