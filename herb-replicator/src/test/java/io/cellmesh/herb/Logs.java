package io.cellmesh.herb;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records as they stand in a log. */
final class Logs {
  static final String TOPIC = "trips.log";

  /** Of a link from dc2 to dc1, whose other peer is dc3. */
  static final LinkTerms TERMS =
      new LinkTerms("dc2", new Shards(64, 1), Set.of("dc1", "dc2", "dc3"), true);

  private Logs() {}

  /** A cell of a new row, in the partition that is its own where there is one partition. */
  static ConsumerRecord<byte[], byte[]> cell(String origin, long id, long offset, Shards shards) {
    var key = new CellKey(UUID.randomUUID(), "BASE", 1);
    int shard = shards.of(key.rowKey());
    try {
      var cell = new Cell(key, Body.ofJson("{}"), Optional.of(new Origin(origin, id)));
      return record(
          shards.partitionOf(shard),
          offset,
          Envelope.key(key),
          Envelope.write(new LogRecord(cell, shard, id, Instant.EPOCH)),
          Optional.of(origin));
    } catch (InvalidCellException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Any record.
   *
   * @param origin as its header says it
   */
  static ConsumerRecord<byte[], byte[]> record(
      int partition, long offset, byte[] key, byte[] value, Optional<String> origin) {
    var headers = new RecordHeaders();
    origin.ifPresent(
        name -> headers.add(Envelope.ORIGIN_HEADER, name.getBytes(StandardCharsets.UTF_8)));
    return new ConsumerRecord<>(
        TOPIC,
        partition,
        offset,
        1_000 + offset,
        TimestampType.CREATE_TIME,
        key.length,
        value.length,
        key,
        value,
        headers,
        Optional.empty());
  }
}
