package io.cellmesh.triggers.webhook;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.triggers.TriggeredCell;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/** Cells of one row as a trigger of dc1 hands them on. */
final class Cells {
  static final String ROW = "5b0a7f64-9a1f-4d2b-8c53-0f2f6f1d3a10";
  static final String BODY = "{\"status\":\"completed\",\"fare\":27.5}";
  private static final TopicPartition PARTITION = new TopicPartition("trips.log", 10);

  private Cells() {}

  static TriggeredCell trip() {
    return cell("BASE", BODY, 4711, 1);
  }

  static TriggeredCell cell(String column, String body, long addedId, int attempt) {
    try {
      var key = new CellKey(UUID.fromString(ROW), column, 1);
      var cell = new Cell(key, Body.ofJson(body), Optional.of(new Origin("dc2", 812)));
      var created = Instant.parse("2026-01-31T12:00:00.12Z");
      return new TriggeredCell(
          new LogRecord(cell, 42, addedId, created), PARTITION, 90_210, attempt, false);
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
