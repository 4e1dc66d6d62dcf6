package io.cellmesh.triggers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Finds out where a record of the log stands in its shard, from its headers if they say so. */
final class RecordReader implements AutoCloseable {
  /** What memory a record costs beside its key and value. */
  private static final int OVERHEAD = 300;

  private final EnvelopeReader envelopes = EnvelopeReader.lenient();
  private final int shards;
  private byte[] lastColumn = {};
  private String lastColumnName = "";

  /**
   * @param shards how many there are, each of which takes room
   */
  RecordReader(int shards) {
    this.shards = shards;
  }

  /**
   * Reads a record.
   *
   * @throws InvalidCellException if it is none of the log
   */
  Delivery read(ConsumerRecord<byte[], byte[]> record) throws InvalidCellException {
    byte[] column = null;
    long shard = -1;
    long addedId = -1;
    boolean rebuilt = false;
    // One way through them, since each look for one decodes the names of all.
    for (var header : record.headers()) {
      switch (header.key()) {
        case Envelope.COLUMN_HEADER -> column = header.value();
        case Envelope.SHARD_HEADER -> shard = number(header.value());
        case Envelope.ADDED_ID_HEADER -> addedId = number(header.value());
        case Envelope.REBUILT_HEADER -> rebuilt = true;
        default -> {}
      }
    }
    int bytes = OVERHEAD + Math.max(0, record.serializedValueSize());
    if (column == null || shard < 0 || shard > Integer.MAX_VALUE || addedId < 0) {
      var log = envelopes.readLog(record.key(), record.value());
      checkShard(log.shard());
      return delivery(log, record, rebuilt, bytes);
    }
    checkShard(shard);
    return new Delivery(
        record.offset(),
        (int) shard,
        addedId,
        row(record.key()),
        name(column),
        rebuilt,
        bytes,
        record);
  }

  @Override
  public void close() {
    envelopes.close();
  }

  private void checkShard(long shard) throws InvalidCellException {
    if (shard < 0 || shard >= shards) {
      throw InvalidCellException.of("shard", shard, "is not one of " + shards);
    }
  }

  private static Delivery delivery(
      LogRecord log, ConsumerRecord<byte[], byte[]> record, boolean rebuilt, int bytes) {
    var key = log.cell().key();
    return new Delivery(
        record.offset(),
        log.shard(),
        log.addedId(),
        key.rowKey(),
        key.columnName(),
        rebuilt,
        bytes,
        record);
  }

  private static UUID row(byte[] key) throws InvalidCellException {
    try {
      return UUID.fromString(new String(key, ISO_8859_1));
    } catch (IllegalArgumentException | NullPointerException e) {
      throw InvalidCellException.of("key", "is not a UUID");
    }
  }

  /** Most records are of the same column as the one before. */
  private String name(byte[] column) {
    if (!Arrays.equals(column, lastColumn)) {
      lastColumn = column;
      lastColumnName = new String(column, UTF_8);
    }
    return lastColumnName;
  }

  /** -1 if there is none. */
  private static long number(byte[] digits) {
    if (digits == null || digits.length == 0 || digits.length > 18) {
      return -1;
    }
    long number = 0;
    for (byte digit : digits) {
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = number * 10 + digit - '0';
    }
    return number;
  }
}
