package io.cellmesh.cell;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** What one envelope said; null is what it left out. */
final class EnvelopeFields {
  UUID rowKey;
  String rowKeyText;
  String columnName;
  Long refKey;
  Body body;
  String origin;
  Long originId;
  Long shard;
  Long addedId;
  Instant createdAt;

  void rowKey(String text) throws InvalidCellException {
    rowKey = CellKey.parseRow(text);
    rowKeyText = text;
  }

  void checkKey(byte[] key) throws InvalidCellException {
    required("row_key", rowKey);
    if (key == null) {
      throw InvalidCellException.of("record", "its key is null; it must be the row_key");
    }
    if (!RowKeys.same(key, rowKeyText)) {
      throw InvalidCellException.of("row_key", rowKey, "differs from the record's key");
    }
  }

  Cell cell(Optional<Origin> at) throws InvalidCellException {
    var key = new CellKey(rowKey, required("column_name", columnName), required("ref_key", refKey));
    return new Cell(key, required("body", body), at);
  }

  Origin requiredOrigin() throws InvalidCellException {
    return new Origin(required("origin", origin), required("origin_id", originId));
  }

  int requiredShard() throws InvalidCellException {
    long number = required("shard", shard);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw InvalidCellException.of("shard", number, "no number of a shard");
    }
    return (int) number;
  }

  void refusePlace() throws InvalidCellException {
    refuse("shard", shard, "belongs only into the log");
    refuse("added_id", addedId, "belongs only into the log");
    refuse("created_at", createdAt, "belongs only into the log");
  }

  void refuse(String field, Object value, String rule) throws InvalidCellException {
    if (value != null) {
      throw InvalidCellException.of(field, value, rule);
    }
  }

  static <T> T required(String field, T value) throws InvalidCellException {
    if (value == null) {
      throw InvalidCellException.of(field, "missing");
    }
    return value;
  }
}
