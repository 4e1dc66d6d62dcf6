package io.cellmesh.operations.verify;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A small instance for the checks' tests: four shards in one partition. */
final class World {
  static final Shards SHARDS = new Shards(4, 1);
  static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  private World() {}

  static CellKey key(int row) {
    return new CellKey(rowIn(0, row), "BASE", 1);
  }

  /** The n-th row that the routing puts into a shard. */
  static UUID rowIn(int shard, int n) {
    int found = -1;
    for (long i = 0; ; i++) {
      var candidate = new UUID(0x4000L, 0x8000000000000000L + i);
      if (SHARDS.of(candidate) == shard && ++found == n) {
        return candidate;
      }
    }
  }

  static Body body(String json) {
    try {
      return Body.ofJson(json);
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static Cell produced(CellKey key, String json) {
    return new Cell(key, body(json), Optional.empty());
  }

  static Cell meshed(CellKey key, String json, String origin, long id) {
    return new Cell(key, body(json), Optional.of(new Origin(origin, id)));
  }

  static LogRecord row(CellKey key, String json, long addedId, String origin, long originId) {
    return new LogRecord(
        meshed(key, json, origin, originId), SHARDS.of(key.rowKey()), addedId, NOON);
  }

  /** A row that was first written in dc1. */
  static LogRecord own(CellKey key, String json, long addedId) {
    return row(key, json, addedId, "dc1", addedId);
  }

  static Entities entities(LogRecord... rows) {
    var entities = new Entities();
    List.of(rows).forEach(entities::add);
    return entities;
  }

  static Ingested cells(long offset, Cell cell) {
    return new Ingested("trips.cells", 0, offset, NOON, Optional.of(cell));
  }

  static Ingested mesh(long offset, Cell cell) {
    return new Ingested("trips.mesh", 0, offset, NOON, Optional.of(cell));
  }

  static Ingested invalid(long offset) {
    return new Ingested("trips.cells", 0, offset, NOON, Optional.empty());
  }
}
