package io.cellmesh.triggers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes a log as the source does: each shard's cells with rising ids, and some of them twice. */
final class LogFeeder implements AutoCloseable {
  private static final int ROWS = 400;
  private static final int REPEATED_ONE_IN = 50;
  private static final int OTHER_COLUMN_ONE_IN = 5;

  private final Shards shards;
  private final String topic;
  private final Random random;
  private final List<UUID> rows = new ArrayList<>();
  private final long[] lastId;
  private final long[] refKeys;
  private final List<LogRecord> written = new ArrayList<>();
  private final EnvelopeWriter envelopes = new EnvelopeWriter();
  private final KafkaProducer<byte[], byte[]> producer;

  LogFeeder(String bootstrap, String topic, Shards shards, long seed) {
    this.shards = shards;
    this.topic = topic;
    this.random = new Random(seed);
    for (int i = 0; i < ROWS; i++) {
      rows.add(new UUID(random.nextLong(), random.nextLong()));
    }
    this.lastId = new long[shards.count()];
    this.refKeys = new long[ROWS];
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 2, "delivery.timeout.ms", 300_000),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** The rows that it writes to. */
  List<UUID> rows() {
    return rows;
  }

  /** The cells of a column that it has written, once each, in order. */
  List<LogRecord> written(String column) {
    return written.stream()
        .filter(record -> record.cell().key().columnName().equals(column))
        .toList();
  }

  /** Writes at a rate until it is to end. */
  void feed(BooleanSupplier ended, int perSecond) throws InvalidCellException {
    long start = System.nanoTime();
    for (long n = 0; !ended.getAsBoolean(); n++) {
      long due = start + n * 1_000_000_000L / perSecond;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      next();
    }
    producer.flush();
  }

  /** Writes a cell of each of some rows. */
  void feed(List<UUID> some, String column) throws InvalidCellException {
    for (var row : some) {
      add(rows.indexOf(row), column);
    }
    producer.flush();
  }

  private void next() throws InvalidCellException {
    add(random.nextInt(ROWS), random.nextInt(OTHER_COLUMN_ONE_IN) == 0 ? "OTHER" : "BASE");
  }

  private void add(int row, String column) throws InvalidCellException {
    var key = new CellKey(rows.get(row), column, ++refKeys[row]);
    int shard = shards.of(rows.get(row));
    long id = ++lastId[shard];
    var cell =
        new Cell(key, Body.ofJson("{\"fare\":" + id + "}"), Optional.of(new Origin("dc1", id)));
    var record = new LogRecord(cell, shard, id, Instant.now());
    written.add(record);
    send(record);
    if (random.nextInt(REPEATED_ONE_IN) == 0) {
      send(written.get(written.size() - 1 - random.nextInt(Math.min(written.size(), 200))));
    }
  }

  private void send(LogRecord record) {
    var key = record.cell().key();
    var sent =
        new ProducerRecord<>(
            topic,
            shards.partitionOf(record.shard()),
            key.rowKey().toString().getBytes(UTF_8),
            envelopes.write(record));
    sent.headers()
        .add("column", key.columnName().getBytes(UTF_8))
        .add("origin", "dc1".getBytes(UTF_8))
        .add("shard", Integer.toString(record.shard()).getBytes(UTF_8))
        .add("added_id", Long.toString(record.addedId()).getBytes(UTF_8));
    producer.send(sent);
  }

  @Override
  public void close() {
    producer.close();
    envelopes.close();
  }
}
