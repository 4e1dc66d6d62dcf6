package io.cellmesh.connect.source;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogOffset.Place;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.UuidBytes;
import io.debezium.data.Envelope;
import io.debezium.data.Envelope.FieldName;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
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
  private static final StructField OPERATION = new StructField(FieldName.OPERATION);
  private static final StructField SOURCE = new StructField(FieldName.SOURCE);
  private static final StructField BEFORE = new StructField(FieldName.BEFORE);
  private static final StructField AFTER = new StructField(FieldName.AFTER);
  private static final StructField DATABASE = new StructField("db");
  private static final StructField GTID = new StructField("gtid");
  private static final StructField ADDED_ID = new StructField("added_id");
  private static final StructField ROW_KEY = new StructField("row_key");
  private static final StructField COLUMN_NAME = new StructField("column_name");
  private static final StructField REF_KEY = new StructField("ref_key");
  private static final StructField BODY = new StructField("body");
  private static final StructField ORIGIN = new StructField("origin");
  private static final StructField ORIGIN_ID = new StructField("origin_id");
  private static final StructField CREATED_AT = new StructField("created_at");

  /** Empty for whatever else Debezium sends. */
  static Optional<EntityEvent> of(SourceRecord record) {
    if (!(record.value() instanceof Struct value)
        || !Envelope.isEnvelopeSchema(record.valueSchema())) {
      return Optional.empty();
    }
    var source = (Struct) SOURCE.in(value);
    return Optional.of(
        new EntityEvent(
            Envelope.Operation.forCode((String) OPERATION.in(value)),
            ShardDatabases.shardOf((String) DATABASE.in(source)),
            (String) GTID.in(source),
            (Struct) BEFORE.in(value),
            (Struct) AFTER.in(value)));
  }

  boolean isCreation() {
    return operation == Envelope.Operation.CREATE;
  }

  /** Where the row stands; nowhere if the event is about a whole table. */
  Place place() {
    var row = after == null ? before : after;
    return new Place(shard, row == null ? 0 : (Long) ADDED_ID.in(row));
  }

  /** The new row; only for a creation. Its body is decoded when it is written. */
  LogRecord created() {
    long addedId = (Long) ADDED_ID.in(after);
    var originId = (Long) ORIGIN_ID.in(after);
    var origin = new Origin((String) ORIGIN.in(after), originId == null ? addedId : originId);
    var body = Body.ofStored(((ByteBuffer) BODY.in(after)).array());
    return new LogRecord(
        new Cell(key(after), body, Optional.of(origin)),
        shard,
        addedId,
        instant((Long) CREATED_AT.in(after)));
  }

  /** The cells concerned, for a message; never with a body. */
  String describe() {
    if (before == null && after == null) {
      return "%s of the whole table of shard %d".formatted(operation, shard);
    }
    var row = before == null ? after : before;
    return "%s of %s (shard %d, added_id %s)"
        .formatted(operation, key(row), shard, ADDED_ID.in(row));
  }

  private static CellKey key(Struct row) {
    return new CellKey(
        UuidBytes.read((ByteBuffer) ROW_KEY.in(row)),
        (String) COLUMN_NAME.in(row),
        (Long) REF_KEY.in(row));
  }

  private static Instant instant(long microseconds) {
    return Instant.ofEpochSecond(
        Math.floorDiv(microseconds, 1_000_000L), Math.floorMod(microseconds, 1_000_000L) * 1_000L);
  }
}
