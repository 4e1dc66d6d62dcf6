package io.cellmesh.connect.converter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cellmesh.cell.InvalidCellException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;

/** Makes envelopes of structs and maps. What is wrong with a cell in them, its reader says. */
final class Envelopes {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Fields fields;

  Envelopes(Fields fields) {
    this.fields = fields;
  }

  /**
   * Where a value has its cell.
   *
   * @param column of all cells; if it is empty, the field {@code column_name} says it
   * @param body the field that is the body; if it is empty, all other fields are
   */
  record Fields(String rowKey, String column, String refKey, String body) {
    /** The field that names the column, if they are not all of one. */
    static final String COLUMN = "column_name";

    boolean isOfKey(String name) {
      return name.equals(rowKey) || name.equals(refKey) || column.isEmpty() && name.equals(COLUMN);
    }
  }

  /** One field of a value; the schema is null if the value has none. */
  private record Part(Schema schema, Object value) {}

  /**
   * Writes the envelope of a value.
   *
   * @throws InvalidCellException naming the field that is missing, or has what JSON does not
   */
  byte[] of(SchemaAndValue read) throws IOException, InvalidCellException {
    var parts = parts(read);
    var bytes = new ByteArrayOutputStream();
    try (var json = FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      write(json, "row_key", required(parts, fields.rowKey()));
      if (fields.column().isEmpty()) {
        write(json, "column_name", required(parts, Fields.COLUMN));
      } else {
        json.writeStringField("column_name", fields.column());
      }
      write(json, "ref_key", required(parts, fields.refKey()));
      if (fields.body().isEmpty()) {
        json.writeObjectFieldStart("body");
        for (var part : parts.entrySet()) {
          if (!fields.isOfKey(part.getKey())) {
            write(json, part.getKey(), part.getValue());
          }
        }
        json.writeEndObject();
      } else {
        write(json, "body", required(parts, fields.body()));
      }
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, String name, Part part)
      throws IOException, InvalidCellException {
    json.writeFieldName(name);
    new ConnectJson(json, name).write(part.schema, part.value);
  }

  private static Part required(Map<String, Part> parts, String field) throws InvalidCellException {
    var part = parts.get(field);
    if (part == null) {
      throw InvalidCellException.of(field, "is missing in the record's value");
    }
    return part;
  }

  private static Map<String, Part> parts(SchemaAndValue read) throws InvalidCellException {
    var parts = new LinkedHashMap<String, Part>();
    if (read.value() instanceof Struct struct) {
      for (Field field : struct.schema().fields()) {
        parts.put(field.name(), new Part(field.schema(), struct.get(field)));
      }
    } else if (read.value() instanceof Map<?, ?> map) {
      var schema = read.schema() == null ? null : read.schema().valueSchema();
      for (var entry : map.entrySet()) {
        parts.put(ConnectJson.name("record", entry.getKey()), new Part(schema, entry.getValue()));
      }
    } else {
      throw InvalidCellException.of(
          "record",
          "is read as %s, where a struct or a map is needed"
              .formatted(read.value() == null ? "null" : read.value().getClass().getSimpleName()));
    }
    return parts;
  }
}
