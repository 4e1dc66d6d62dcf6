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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records of a log as the source writes them, a cell of each shard in turn, so that no shard has
 * more than the others. Bodies have some 200 bytes. For one thread.
 */
final class LogCells implements AutoCloseable {
  private static final int ROWS_OF_A_SHARD = 1_000;
  private static final int BODIES = 1_000;

  private final SplittableRandom random = new SplittableRandom(27);
  private final EnvelopeWriter envelopes = new EnvelopeWriter();
  private final List<List<UUID>> rows;
  private final List<Body> bodies = new ArrayList<>();
  private long written;

  LogCells() throws InvalidCellException {
    this.rows = rows();
    for (int i = 0; i < BODIES; i++) {
      bodies.add(Body.ofJson(body()));
    }
  }

  ProducerRecord<byte[], byte[]> next() {
    int shards = CallbackServers.SHARDS.count();
    int shard = (int) (written % shards);
    long before = written / shards;
    var row = rows.get(shard).get((int) (before % ROWS_OF_A_SHARD));
    var key = new CellKey(row, "BASE", before / ROWS_OF_A_SHARD + 1);
    var body = bodies.get((int) (written % BODIES));
    written++;
    var origin = new Origin(Servers.DATACENTER, before + 1);
    var cell = new Cell(key, body, Optional.of(origin));
    return record(new LogRecord(cell, shard, before + 1, Instant.now()));
  }

  @Override
  public void close() {
    envelopes.close();
  }

  private ProducerRecord<byte[], byte[]> record(LogRecord log) {
    var key = log.cell().key();
    var record =
        new ProducerRecord<>(
            CallbackServers.TOPICS.log(),
            CallbackServers.SHARDS.partitionOf(log.shard()),
            key.rowKey().toString().getBytes(UTF_8),
            envelopes.write(log));
    record
        .headers()
        .add(Envelope.COLUMN_HEADER, key.columnName().getBytes(UTF_8))
        .add(Envelope.ORIGIN_HEADER, Servers.DATACENTER.getBytes(UTF_8))
        .add(Envelope.SHARD_HEADER, Integer.toString(log.shard()).getBytes(UTF_8))
        .add(Envelope.ADDED_ID_HEADER, Long.toString(log.addedId()).getBytes(UTF_8));
    return record;
  }

  private List<List<UUID>> rows() {
    var found = new ArrayList<List<UUID>>();
    for (int shard = 0; shard < CallbackServers.SHARDS.count(); shard++) {
      found.add(new ArrayList<>());
    }
    int full = 0;
    while (full < found.size()) {
      var row = uuid();
      var ofShard = found.get(CallbackServers.SHARDS.of(row));
      if (ofShard.size() < ROWS_OF_A_SHARD) {
        ofShard.add(row);
        full += ofShard.size() == ROWS_OF_A_SHARD ? 1 : 0;
      }
    }
    return found;
  }

  private String body() {
    return String.format(
        Locale.ROOT,
        "{\"driver_uuid\":\"%s\",\"client_uuid\":\"%s\",\"city\":\"Aarhus\","
            + "\"fare\":{\"amount\":%.2f,\"currency\":\"DKK\"},\"distance_km\":%.2f}",
        uuid(),
        uuid(),
        10 + 100 * random.nextDouble(),
        1 + 20 * random.nextDouble());
  }

  private UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }
}
