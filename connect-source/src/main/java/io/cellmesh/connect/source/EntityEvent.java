package io.cellmesh.connect.source;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.debezium.data.Envelope;
import io.debezium.data.Envelope.FieldName;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A change of an entity row, as Debezium tells it.
 *
 * @param operation what was done; only a creation is ever right
 * @param shard the row's shard
 * @param gtid its transaction; null where the server has none
 */
record EntityEvent(
    Envelope.Operation operation, int shard, String gtid, Struct before, Struct after) {

  /** Empty for whatever else Debezium sends. */
  static Optional<EntityEvent> of(SourceRecord record) {
    if (!(record.value() instanceof Struct value)
        || !Envelope.isEnvelopeSchema(record.valueSchema())) {
      return Optional.empty();
    }
    var source = value.getStruct(FieldName.SOURCE);
    return Optional.of(
        new EntityEvent(
            Envelope.Operation.forCode(value.getString(FieldName.OPERATION)),
            ShardDatabases.shardOf(source.getString("db")),
            source.getString("gtid"),
            value.getStruct(FieldName.BEFORE),
            value.getStruct(FieldName.AFTER)));
  }

  boolean isCreation() {
    return operation == Envelope.Operation.CREATE;
  }

  /** Where the row stands; nowhere if the event is about a whole table. */
  Place place() {
    var row = after == null ? before : after;
    return new Place(shard, row == null ? 0 : row.getInt64("added_id"));
  }

  /** The new row; only for a creation. Its body is decoded when it is written. */
  LogRecord created() {
    long addedId = after.getInt64("added_id");
    var originId = after.getInt64("origin_id");
    var origin = new Origin(after.getString("origin"), originId == null ? addedId : originId);
    var body = Body.ofStored(after.getBytes("body"));
    return new LogRecord(
        new Cell(key(after), body, Optional.of(origin)),
        shard,
        addedId,
        instant(after.getInt64("created_at")));
  }

  /** The cells concerned, for a message; never with a body. */
  String describe() {
    if (before == null && after == null) {
      return "%s of the whole table of shard %d".formatted(operation, shard);
    }
    var row = before == null ? after : before;
    return "%s of %s (shard %d, added_id %s)"
        .formatted(operation, key(row), shard, row.getInt64("added_id"));
  }

  private static CellKey key(Struct row) {
    var uuid = ByteBuffer.wrap(row.getBytes("row_key"));
    return new CellKey(
        new UUID(uuid.getLong(), uuid.getLong()),
        row.getString("column_name"),
        row.getInt64("ref_key"));
  }

  private static Instant instant(long microseconds) {
    return Instant.ofEpochSecond(
        Math.floorDiv(microseconds, 1_000_000L), Math.floorMod(microseconds, 1_000_000L) * 1_000L);
  }
}
