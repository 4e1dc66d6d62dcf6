package io.cellmesh.storage.index;

import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.storage.Script;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;

/** How a canonical text of each type stands in MySQL, without loss in either direction. */
final class FieldColumn {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private FieldColumn() {}

  static String sqlType(FieldType type) {
    return switch (type) {
      case UUID -> "BINARY(16)";
      case STRING -> "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin";
      case INTEGER -> "BIGINT";
      case DOUBLE -> "DOUBLE";
      case DECIMAL -> "DECIMAL(38,18)";
      case BOOLEAN -> "BOOLEAN";
      case DATETIME -> "DATETIME(6)";
    };
  }

  /** Most bytes that the column takes in a key, its null bit and length included. */
  static int keyBytes(FieldType type) {
    return switch (type) {
      case UUID -> 17;
      case STRING -> 255 * 4 + 3;
      case INTEGER, DOUBLE, DATETIME -> 9;
      case DECIMAL -> 18;
      case BOOLEAN -> 2;
    };
  }

  /** Compares two canonical texts as MySQL compares the columns' values. */
  static int compare(FieldType type, String one, String other) {
    return switch (type) {
      case STRING ->
          Arrays.compareUnsigned(
              one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
      case INTEGER -> Long.compare(Long.parseLong(one), Long.parseLong(other));
      case DOUBLE -> Double.compare(Double.parseDouble(one), Double.parseDouble(other));
      case DECIMAL -> new BigDecimal(one).compareTo(new BigDecimal(other));
      case BOOLEAN -> Boolean.compare(Boolean.parseBoolean(one), Boolean.parseBoolean(other));
      case DATETIME -> Instant.parse(one).compareTo(Instant.parse(other));
      case UUID -> one.compareTo(other);
    };
  }

  static void bind(PreparedStatement to, int at, FieldType type, String canonical)
      throws SQLException {
    if (canonical == null) {
      to.setNull(at, Types.NULL);
      return;
    }
    switch (type) {
      case UUID -> to.setBytes(at, UuidBytes.of(UUID.fromString(canonical)));
      case STRING -> to.setString(at, canonical);
      case INTEGER -> to.setLong(at, Long.parseLong(canonical));
      case DOUBLE -> to.setDouble(at, Double.parseDouble(canonical));
      case DECIMAL -> to.setBigDecimal(at, new BigDecimal(canonical));
      case BOOLEAN -> to.setBoolean(at, Boolean.parseBoolean(canonical));
      case DATETIME -> to.setObject(at, utc(Instant.parse(canonical)));
      default -> throw new IllegalStateException("no such type: " + type);
    }
  }

  /** Writes a canonical text, or null, as a literal. */
  static void write(Script to, FieldType type, String canonical) {
    if (canonical == null) {
      to.sql("NULL");
      return;
    }
    switch (type) {
      case UUID -> to.bytes(UuidBytes.of(UUID.fromString(canonical)));
      case STRING -> to.text(canonical);
      case INTEGER -> to.number(Long.parseLong(canonical));
      case DOUBLE -> to.sql(Double.toString(Double.parseDouble(canonical)));
      case DECIMAL -> to.sql(new BigDecimal(canonical).toPlainString());
      case BOOLEAN -> to.sql(Boolean.toString(Boolean.parseBoolean(canonical)));
      case DATETIME -> to.sql("'").sql(TIME.format(utc(Instant.parse(canonical)))).sql("'");
      default -> throw new IllegalStateException("no such type: " + type);
    }
  }

  /** The text of a column's value as {@link FieldType#parse} takes it, or null. */
  private static String read(ResultSet from, int at, FieldType type) throws SQLException {
    var text =
        switch (type) {
          case UUID -> {
            var bytes = from.getBytes(at);
            yield bytes == null ? null : UuidBytes.read(bytes).toString();
          }
          case STRING -> from.getString(at);
          case INTEGER -> Long.toString(from.getLong(at));
          case DOUBLE -> Double.toString(from.getDouble(at));
          case DECIMAL -> {
            var value = from.getBigDecimal(at);
            yield value == null ? null : value.toPlainString();
          }
          case BOOLEAN -> Boolean.toString(from.getBoolean(at));
          case DATETIME -> {
            var value = from.getObject(at, LocalDateTime.class);
            yield value == null ? null : value.toInstant(ZoneOffset.UTC).toString();
          }
        };
    return from.wasNull() ? null : text;
  }

  /** The canonical text of a field's value, or null. */
  static String canonical(ResultSet from, int at, IndexField field) throws SQLException {
    var text = read(from, at, field.type());
    try {
      return text == null ? null : field.type().parse(field.name(), text);
    } catch (MisfitException e) {
      throw new SQLException(
          "the index table holds what its type does not allow: " + e.getMessage(), e);
    }
  }

  private static LocalDateTime utc(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
