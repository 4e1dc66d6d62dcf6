package io.cellmesh.connect.converter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cellmesh.cell.InvalidCellException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;

/**
 * Writes Connect's data as JSON: numbers as numbers, decimals among them, to their last digit;
 * dates, times and timestamps in the form of ISO 8601; bytes in Base64; structs and maps as
 * objects.
 */
final class ConnectJson {
  private final JsonGenerator json;

  /** Of the record's value, for messages. */
  private final String field;

  ConnectJson(JsonGenerator json, String field) {
    this.json = json;
    this.field = field;
  }

  /**
   * Writes a value.
   *
   * @param schema null if it has none
   * @throws InvalidCellException if JSON has nothing like it
   */
  void write(Schema schema, Object value) throws IOException, InvalidCellException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Struct struct) {
      json.writeStartObject();
      for (var part : struct.schema().fields()) {
        json.writeFieldName(part.name());
        write(part.schema(), struct.get(part));
      }
      json.writeEndObject();
    } else if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (var entry : map.entrySet()) {
        json.writeFieldName(name(field, entry.getKey()));
        write(schema == null ? null : schema.valueSchema(), entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Collection<?> list) {
      json.writeStartArray();
      for (var element : list) {
        write(schema == null ? null : schema.valueSchema(), element);
      }
      json.writeEndArray();
    } else {
      scalar(schema, value);
    }
  }

  /**
   * The name of a field in JSON.
   *
   * @throws InvalidCellException if a map's key is no text
   */
  static String name(String field, Object key) throws InvalidCellException {
    if (key instanceof String name) {
      return name;
    }
    throw InvalidCellException.of(
        field,
        "has a map whose keys are %s; names in JSON are text"
            .formatted(key == null ? "null" : key.getClass().getSimpleName()));
  }

  private void scalar(Schema schema, Object value) throws IOException, InvalidCellException {
    if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof Date date) {
      json.writeString(text(schema, date.toInstant()));
    } else if (value instanceof byte[] bytes) {
      json.writeString(Base64.getEncoder().encodeToString(bytes));
    } else if (value instanceof ByteBuffer buffer) {
      var bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      json.writeString(Base64.getEncoder().encodeToString(bytes));
    } else {
      throw InvalidCellException.of(
          field, "has a %s, which JSON has not".formatted(value.getClass().getSimpleName()));
    }
  }

  private void number(Number number) throws IOException, InvalidCellException {
    if (number instanceof BigDecimal decimal) {
      json.writeNumber(decimal);
    } else if (number instanceof BigInteger integer) {
      json.writeNumber(integer);
    } else if (number instanceof Double || number instanceof Float) {
      if (!Double.isFinite(number.doubleValue())) {
        throw InvalidCellException.of(field, "has %s, which JSON has not".formatted(number));
      }
      // By its own digits: as a double, a float of 0.1 would be 0.10000000149011612.
      json.writeNumber(number.toString());
    } else {
      json.writeNumber(number.longValue());
    }
  }

  private static String text(Schema schema, Instant instant) {
    var name = schema == null ? null : schema.name();
    if (org.apache.kafka.connect.data.Date.LOGICAL_NAME.equals(name)) {
      return instant.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }
    if (Time.LOGICAL_NAME.equals(name)) {
      return LocalTime.ofInstant(instant, ZoneOffset.UTC).toString();
    }
    return instant.toString();
  }
}
